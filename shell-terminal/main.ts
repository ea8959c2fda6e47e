/** `sallyport`: finds the typed command, runs it, ends with its exit code (spec §16). */

import { existsSync } from 'node:fs';
import { MisnamedHome } from '../shared/locations.ts';
import { shownText } from '../shared/shown-text.ts';
import { version } from '../shared/version.ts';
import { CliError, exitCodes, failed, misuse, unforeseen } from './cli-error.ts';
import type { TerminalCommand } from './command.ts';
import { setUp } from './commands/setup.ts';
import { commandGroups, commands } from './commands.ts';
import { candidates } from './completion/candidates.ts';
import { completeWord } from './completion/command.ts';
import { valuesOf } from './completion/values.ts';
import { endAsHungUp } from './hang-up.ts';
import { commandHelp, wholeHelp } from './help.ts';
import { sayNoMoreOfRequests, tellNotices } from './notices.ts';
import { showOverview } from './overview.ts';
import { typedYes } from './setup/typed.ts';
import { readyStatus } from './starting.ts';
import {
  hasAnswered,
  locationsOf,
  print,
  printJson,
  remark,
  say,
  type Terminal,
  thisTerminal,
  widthOf,
} from './terminal.ts';
import { unknownCommand } from './unknown-command.ts';

async function run(terminal: Terminal, given: readonly string[]): Promise<void> {
  const typed = flagsLast(given);
  const [first, second = ''] = typed;
  if (first === undefined || first === '--json') return withoutCommand(terminal);
  if (['--version', '-v', '-V', 'version'].includes(first)) return print(terminal, `sallyport ${version}`);
  if (first === completeWord) return complete(terminal, given.slice(1));
  if (first === 'help') return helpFor(terminal, typed.slice(1));
  const asksHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');
  const found = commandNamed(first, second) ?? (asksHelp(typed) ? undefined : nounAlone(first, second));
  if (found !== undefined) {
    const rest = typed.slice(found.words === `${first} ${second}` ? 2 : 1);
    // After `--`, every word is an argument.
    const beforeArguments = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (asksHelp(beforeArguments)) return print(terminal, commandHelp(found, widthOf(terminal.stdout)));
    return found.run(terminal, rest).finally(() => tellNotices(terminal));
  }
  if (asksHelp(typed))
    return helpFor(
      terminal,
      typed.slice(0, 1).filter(word => !word.startsWith('-')),
    );
  throw unknownCommand(commands, first, second);
}

async function complete(terminal: Terminal, typed: readonly string[]): Promise<void> {
  const found = await candidates(commands, typed, what => valuesOf(terminal, what));
  print(terminal, ...found.map(({ word, about }) => `${shownText(word)}\t${shownText(about)}`));
}

/** `sallyport --json status` is `sallyport status --json`. */
function flagsLast(typed: readonly string[]): readonly string[] {
  const command = typed.findIndex(word => word !== '--json');
  return command < 1 ? typed : [...typed.slice(command), ...typed.slice(0, command)];
}

/** After `--`, every word is an argument. */
function asksJson(typed: readonly string[]): boolean {
  const end = typed.indexOf('--');
  return typed.slice(0, end === -1 ? typed.length : end).includes('--json');
}

/** Tries two words first: `allow yes` is another command than `allow`. */
function commandNamed(first: string, second: string): TerminalCommand | undefined {
  return commands.find(({ words }) => words === `${first} ${second}`) ?? commands.find(({ words }) => words === first);
}

/** `connections` is `connections list`, `service` is `service status`. */
function nounAlone(first: string, second: string): TerminalCommand | undefined {
  if (second !== '' && !second.startsWith('-')) return undefined;
  return commands.find(({ words }) => words === `${first} list` || words === `${first} status`);
}

/** @throws CliError */
function helpFor(terminal: Terminal, [first, second = '']: readonly string[]): void {
  const columns = widthOf(terminal.stdout);
  print(terminal, first === undefined ? wholeHelp(commandGroups, columns) : helpOf(first, second, columns));
}

/** @throws CliError */
function helpOf(first: string, second: string, columns: number | null): string {
  const found = commandNamed(first, second);
  const group = commands.filter(({ words }) => words.startsWith(`${first} `));
  if (found !== undefined && (second !== '' || group.length === 0)) return commandHelp(found, columns);
  if (group.length === 0) throw unknownCommand(commands, first, second);
  return wholeHelp([{ title: null, commands: [...(found === undefined ? [] : [found]), ...group] }], columns);
}

/** Who types the name alone on a terminal is new here, or wants to know how things stand. */
async function withoutCommand(terminal: Terminal): Promise<void> {
  if (!terminal.stdin.isTTY) throw misuse('Name a command; `sallyport --help` lists them.');
  if (!(await isNothingSetUp(terminal))) {
    await showOverview(terminal);
    sayNoMoreOfRequests();
    return tellNotices(terminal);
  }
  print(terminal, 'Sallyport lets AI clients use your databases without giving them your passwords.', '');
  if (await typedYes(terminal, 'Nothing is set up yet. Set it up now?', true, setupHelp)) return setUp(terminal, null);
  say(terminal, '`sallyport setup` does it later, and `sallyport demo` makes a shop to try it on.');
}

const setupHelp = 'It asks before it saves or changes anything, and takes some minutes.';

/** Also true after a setup that was abandoned, as far as the running daemons tell. */
async function isNothingSetUp(terminal: Terminal): Promise<boolean> {
  if (!existsSync(locationsOf(terminal).store)) return true;
  const status = await readyStatus(terminal).catch(() => null);
  return status?.connections === 0;
}

const terminal = thisTerminal();
// A reader that stops early (`| head`) is no failure.
terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  // The terminal was closed. A write may fail before or after the signal arrives.
  if (error.code === 'EIO' && terminal.stdout.isTTY) return endAsHungUp();
  remark(terminal, `sallyport: The answer could not be written (${error.code}).`);
  process.exit(exitCodes.failed);
});
// Nobody reads stderr any more; the command still does its work.
terminal.stderr.on('error', () => {});
run(terminal, process.argv.slice(2)).catch(error => {
  const told = error instanceof MisnamedHome ? failed(error.message) : error;
  const ending = told instanceof CliError ? told : unforeseen(told);
  const { usage = null } = ending.told;
  if (asksJson(process.argv.slice(2)) && !hasAnswered(terminal)) printJson(terminal, ending.asJson());
  remark(terminal, `sallyport: ${ending.message}`);
  if (usage !== null) remark(terminal, `Usage: ${usage}`);
  process.exitCode = ending.exitCode;
});
