/**
 * Commands of `sallyport` run in this process, found and ended as main.ts does it: where many are
 * needed, and starting a program each time is not what is tested. The daemon that they ask is a
 * real one. A program that such a command starts has this process's environment.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { TerminalCommand } from '../../shell-terminal/command.ts';
import { Ending, unforeseen } from '../../shell-terminal/ending.ts';
import { remark, type Terminal } from '../../shell-terminal/terminal.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Surroundings {
  /** SALLYPORT_HOME among it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string | Buffer;
  /**
   * Where it runs on a terminal: each is typed, with Enter, once its prompt was shown; then Ctrl-C
   * to whatever is asked.
   */
  readonly typed?: readonly (readonly [prompt: string, typed: string])[];
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * @throws where there is no such command: how main.ts refuses it is tested through the built one.
 */
export async function runHere(
  typed: readonly string[],
  { environment, cwd, stdin = '', typed: answers }: Surroundings,
): Promise<Ran> {
  const command = await find(typed);
  const stdout = new PassThrough({ encoding: 'utf8' });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = {
    ...{ script: join(root, 'build', 'bin', 'sallyport'), environment, cwd, userHome: environment.HOME },
    ...{ stdin: answers === undefined ? new PassThrough().end(stdin) : typedOn(stderr, answers), stdout, stderr },
  } as unknown as Terminal;
  const code = await command.run(terminal, typed.slice(command.words.split(' ').length)).then(
    () => 0,
    error => {
      const ending = error instanceof Ending ? error : unforeseen(error);
      remark(terminal, `sallyport: ${ending.message}`);
      return ending.exitCode;
    },
  );
  return { code, stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' };
}

/** Ctrl-C as a last answer: a question that should not have come would wait for ever. */
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
  // One after the other: jest links no two at once.
  for (const name of readdirSync(folder))
    exported.push(...Object.values<TerminalCommand>(await import(join(folder, name))));
  return exported.filter(each => typeof each === 'object' && 'words' in each);
}
