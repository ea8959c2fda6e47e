/**
 * A command's view of the world: streams, environment, folder. Decides how text is shown, not what
 * it says.
 */

import { homedir } from 'node:os';
import { styleText } from 'node:util';
import type { ClientFileEnvironment, WslEnvironment } from '../shared/client-files.ts';
import type { KeychainEnvironment } from '../shared/keychain-call.ts';
import {
  homeFolder,
  type LocationEnvironment,
  type Locations,
  locationsIn,
  MisnamedHome,
} from '../shared/locations.ts';
import { shownText } from '../shared/shown-text.ts';
import { startedFile } from '../shared/started-file.ts';
import { failed } from './cli-error.ts';

/** Shows which apps and displays the user has here. */
interface DisplayEnvironment {
  /** Where the user's shell finds commands. */
  readonly PATH?: string | undefined;
  /** A command line. */
  readonly PAGER?: string | undefined;
  readonly NO_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
  readonly DISPLAY?: string | undefined;
  readonly WAYLAND_DISPLAY?: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly XDG_DATA_HOME?: string | undefined;
  readonly XDG_DATA_DIRS?: string | undefined;
}

export interface Terminal {
  /** The path that started this command. */
  readonly script: string;
  readonly environment: LocationEnvironment &
    KeychainEnvironment &
    DisplayEnvironment &
    ClientFileEnvironment &
    WslEnvironment;
  /** @throws CliError if the folder is gone. */
  readonly cwd: string;
  /** @throws CliError if this user has none. */
  readonly userHome: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export function thisTerminal(): Terminal {
  const { env, stdin, stdout, stderr } = process;
  return {
    script: startedFile(),
    environment: env,
    stdin,
    stdout,
    stderr,
    get cwd() {
      return orEnding(() => process.cwd(), 'The folder you are in is gone; change into another one.');
    },
    get userHome() {
      return orEnding(homedir, noHome);
    },
  };
}

const noHome = 'This user has no home folder; set HOME, or SALLYPORT_HOME, to where Sallyport may keep its files.';

/** Most commands need neither, so they must not fail for lack of them. */
function orEnding(look: () => string, sentence: string): string {
  try {
    return look();
  } catch (error) {
    throw error instanceof MisnamedHome ? error : failed(sentence);
  }
}

/** Computed at each use: the socket's place is final only once the home exists. */
export function locationsOf(terminal: Terminal): Locations {
  return locationsIn(orEnding(() => homeFolder(terminal.environment), noHome));
}

const answered = new WeakSet<Terminal>();

/** Whether an answer has begun: a script gets one, so a later failure is told to people alone. */
export function hasAnswered(terminal: Terminal): boolean {
  return answered.has(terminal);
}

export function print(terminal: Terminal, ...lines: readonly string[]): void {
  answered.add(terminal);
  terminal.stdout.write(lines.map(line => `${line}\n`).join(''));
}

/** A sentence as the answer: broken between words on a terminal, whole for a script. */
export function say(terminal: Terminal, sentence: string): void {
  print(terminal, ...wrapped(shownText(sentence), widthOf(terminal.stdout), ''));
}

/** For people, beside the answer: scripts read only stdout. */
export function remark(terminal: Terminal, sentence: string): void {
  terminal.stderr.write(`${wrapped(shownText(sentence), widthOf(terminal.stderr), '').join('\n')}\n`);
}

/** Breaks between words if it has a width; a word that is too long stays whole. */
export function wrapped(text: string, width: number | null, indent: string): string[] {
  if (width === null) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2));
}

/** Columns of a terminal; null for a pipe, where nothing is cut. */
export function widthOf(stream: NodeJS.WriteStream): number | null {
  // A terminal without a size reports 0 columns.
  return stream.isTTY ? stream.columns || 80 : null;
}

/** What a person should read after an answer. */
export function printNotes(terminal: Terminal, notes: readonly string[]): void {
  const width = widthOf(terminal.stdout);
  const mark = styled(terminal, 'yellow', '!');
  for (const note of notes) {
    const [first = '', ...rest] = wrapped(shownText(note), width === null ? null : width - 4, '');
    print(terminal, `  ${mark} ${first}`, ...rest.map(line => `    ${line}`));
  }
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

export function styled(terminal: Terminal, style: Style, text: string): string {
  // An empty NO_COLOR counts as unset (no-color.org).
  return !terminal.stdout.isTTY || terminal.environment.NO_COLOR ? text : painted(style, text);
}

export function painted(style: Style, text: string): string {
  return text === '' ? text : styleText(style, text, { validateStream: false });
}
