/**
 * Runs commands of `sallyport` in this process, looked up and ended as shell-terminal/main.ts does
 * it. It is for tests that need many commands and don't test the start of the program. They
 * ask a real daemon. A program that such a command starts gets this process's environment.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { CliError, unforeseen } from '../../shell-terminal/cli-error.ts';
import type { TerminalCommand } from '../../shell-terminal/command.ts';
import { remark, type Terminal } from '../../shell-terminal/terminal.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Surroundings {
  /** Includes SALLYPORT_HOME. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string | Buffer;
  /**
   * On a terminal: each is typed, with Enter, once its prompt is shown; any further prompt gets
   * Ctrl-C.
   */
  readonly typed?: readonly (readonly [prompt: string, typed: string])[];
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws if there is no such command; the built program's tests cover how shell-terminal/main.ts refuses it. */
export async function runHere(
  typed: readonly string[],
  { environment, cwd, stdin = '', typed: answers }: Surroundings,
): Promise<Ran> {
  const command = await find(typed);
  const stdout = new PassThrough({ encoding: 'utf8' });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = {
    script: join(root, 'build', 'bin', 'sallyport'),
    environment,
    cwd,
    userHome: environment.HOME,
    stdin: answers === undefined ? new PassThrough().end(stdin) : typedOn(stderr, answers),
    stdout,
    stderr,
  } as unknown as Terminal;
  const code = await command.run(terminal, typed.slice(command.words.split(' ').length)).then(
    () => 0,
    error => {
      const ending = error instanceof CliError ? error : unforeseen(error);
      remark(terminal, `sallyport: ${ending.message}`);
      return ending.exitCode;
    },
  );
  return { code, stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' };
}

/** Ctrl-C is the last answer: an unexpected question would wait for ever. */
function typedOn(shown: PassThrough, answers: readonly (readonly [prompt: string, typed: string])[]): PassThrough {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
  const waiting = [...answers];
  const write = shown.write.bind(shown) as (text: string) => boolean;
  shown.write = (text: string) => {
    if (/[:?\]] $/.test(text)) {
      const [next] = waiting;
      const isNext = next !== undefined && text.includes(next[0]);
      if (isNext) waiting.shift();
      setImmediate(() => keys.write(isNext ? `${next[1]}\r` : '\u0003'));
    }
    return write(text);
  };
  return keys;
}

let commands: Promise<readonly TerminalCommand[]> | undefined;

async function find([first = '', second = '']: readonly string[]): Promise<TerminalCommand> {
  commands ??= load();
  const all = await commands;
  const found = [`${first} ${second}`, first].map(words => all.find(command => command.words === words)).find(Boolean);
  if (found === undefined) throw new Error(`sallyport has no command ${first} ${second}`);
  return found;
}

async function load(): Promise<readonly TerminalCommand[]> {
  const folder = join(root, 'shell-terminal', 'commands');
  const exported: TerminalCommand[] = [];
  // One after another, since jest can't link two at once.
  for (const name of readdirSync(folder))
    exported.push(...Object.values<TerminalCommand>(await import(join(folder, name))));
  return exported.filter(each => typeof each === 'object' && 'words' in each);
}
