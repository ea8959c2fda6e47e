/**
 * A shell in a real terminal (tmux): it takes keys and returns the screen, coloured, with the
 * cursor.
 */

import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const patienceMilliseconds = 15_000;

/**
 * @param environment the shell's whole environment; tmux also keeps its socket in HOME.
 * @returns screen(): `{ lines, cursor }`: the lines with their SGR sequences; the cursor is
 *   `{ column, row }`, or null if hidden.
 */
export async function openTerminal(environment, columns, rows) {
  const env = { ...environment, TMUX_TMPDIR: environment.HOME };
  const tmux = async (...words) =>
    (await run('tmux', ['-u', '-L', 'recording', '-f', '/dev/null', ...words], { env })).stdout;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'exec sh');
  await tmux('set-option', 'status', 'off');
  await tmux('resize-window', '-x', String(columns), '-y', String(rows));

  return {
    async screen() {
      const shown = await tmux('capture-pane', '-p', '-e');
      const [column, row, visible] = (
        await tmux('display-message', '-p', '#{cursor_x} #{cursor_y} #{cursor_flag}')
      ).split(' ');
      const cursor = Number(visible) === 1 ? { column: Number(column), row: Number(row) } : null;
      return { lines: shown.replace(/\n$/, '').split('\n'), cursor };
    },
    /** Waits until the text up to the cursor's line matches. */
    async shows(text) {
      let shown = '';
      for (const until = Date.now() + patienceMilliseconds; Date.now() < until; await wait(50)) {
        // tmux drops the blank at the end of a prompt.
        shown = (await tmux('capture-pane', '-p')).trimEnd().replace(/\$$/, '$ ');
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return;
      }
      throw new Error(`Never shown: ${text}; instead:\n${shown}`);
    },
    async type(text) {
      await tmux('send-keys', '-l', '--', text);
    },
    async press(key) {
      await tmux('send-keys', key);
    },
    async end() {
      await tmux('kill-server');
    },
  };
}
