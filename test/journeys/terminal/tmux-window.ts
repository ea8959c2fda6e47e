/**
 * A window of a real terminal (tmux) with a command in it: its screen, keys, pastes, and resizing.
 */

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { missingPrograms } from '../../needs.ts';
import { executable, type RealHome } from '../../shell-terminal/real-home.ts';
import { here, lateError } from '../../waiting/limits.ts';

const run = promisify(execFile);
const patienceMilliseconds = 15_000;

/** Null, or a sentence. */
export function missingForWindows(): string | null {
  return missingPrograms(['tmux'], 'sh test/install/desktop-files.sh');
}

export interface TmuxWindow {
  /**
   * The lines on the screen, without trailing blanks.
   * @param how `coloured` keeps the colour sequences.
   */
  screen(how?: 'coloured'): Promise<string>;
  /**
   * Waits until all of these are on the screen.
   * @returns the screen.
   */
  shows(...texts: readonly (string | RegExp)[]): Promise<string>;
  /**
   * Keys by tmux's names (`Enter`, `C-c`, `NPage`), or text; each is one key, typed one after
   * another.
   */
  press(...keys: readonly string[]): Promise<void>;
  /** Sends the keys without a pause, as typed-ahead text arrives. */
  pressAtOnce(...keys: readonly string[]): Promise<void>;
  /** Pastes as a terminal does that marks pastes, if the program asks for that. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Closes the window, as a person does with the mouse. */
  end(): Promise<void>;
}

export interface WindowOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Record<string, string>;
}

/** After the command's end the window says `exit CODE` and stays. */
export function openWindow(home: RealHome, words: readonly string[], options?: WindowOptions): Promise<TmuxWindow> {
  return openProgram(home, [executable, ...words], options);
}

export async function openProgram(
  home: RealHome,
  program: readonly string[],
  { columns = 80, rows = 24, environment = {} }: WindowOptions = {},
): Promise<TmuxWindow> {
  const name = randomUUID();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home.folder,
    SALLYPORT_HOME: home.home,
    TMUX_TMPDIR: home.folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/sh',
    ...environment,
  };
  const tmux = async (...words: string[]): Promise<string> =>
    (await run('tmux', ['-u', '-L', name, '-f', '/dev/null', ...words], { env })).stdout;
  const command = `${program.map(word => `'${word}'`).join(' ')}; echo "exit $?"; exec cat`;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), command);
  const screen = async (how?: 'coloured'): Promise<string> =>
    (await tmux('capture-pane', '-p', ...(how === 'coloured' ? ['-e'] : []))).trimEnd();

  return {
    screen,
    async shows(...texts) {
      let shown = '';
      const began = Date.now();
      // Each look starts a program, so we look less often the longer it takes.
      for (let waited = 0; waited < here(patienceMilliseconds); waited = Date.now() - began) {
        if (waited > 0) await wait(Math.min(50 + waited / 4, 500));
        shown = await screen();
        if (texts.every(text => (typeof text === 'string' ? shown.includes(text) : text.test(shown)))) return shown;
      }
      throw lateError(Date.now() - began, `${texts.join(', ')} is shown; instead:\n${shown}`);
    },
    async press(...keys) {
      for (const key of keys) await tmux('send-keys', key);
    },
    async pressAtOnce(...keys) {
      await tmux('send-keys', ...keys);
    },
    async paste(text) {
      await tmux('set-buffer', text);
      await tmux('paste-buffer', '-p', '-r');
    },
    async resize(wide, high) {
      await tmux('resize-window', '-x', String(wide), '-y', String(high));
    },
    async end() {
      // It is already gone if the test ended it.
      await tmux('kill-server').catch(() => '');
    },
  };
}
