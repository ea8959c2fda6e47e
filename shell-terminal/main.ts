/** `sallyport`: finds the command that was typed, runs it, ends with its exit code (spec §16). */

import { existsSync } from 'node:fs';
import { version } from '../shared/version.ts';
import type { TerminalCommand } from './command.ts';
import { activityCommand, verifyActivityCommand } from './commands/activity.ts';
import { approvalsCommand, approveCommand, refuseCommand } from './commands/approvals.ts';
import { classifyCommand } from './commands/classify.ts';
import { connectCommand } from './commands/connect.ts';
import {
  demoCommand,
  listConnectionsCommand,
  removeConnectionCommand,
  showConnectionCommand,
  testConnectionCommand,
} from './commands/connections.ts';
import { roleCommand } from './commands/connections-role.ts';
import { addConnectionCommand, setConnectionCommand } from './commands/connections-save.ts';
import { doctorCommand } from './commands/doctor.ts';
import { clearHistoryCommand, historyCommand } from './commands/history.ts';
import { openCommand } from './commands/open.ts';
import { clearPassphraseCommand, setPassphraseCommand } from './commands/passphrase.ts';
import { queryCommand } from './commands/query.ts';
import { pauseCommand, resumeCommand, startCommand, stopCommand } from './commands/server.ts';
import { installServiceCommand, uninstallServiceCommand } from './commands/service.ts';
import { getSettingCommand, listSettingsCommand, setSettingCommand } from './commands/settings.ts';
import { importCommand, setUp, setupCommand } from './commands/setup.ts';
import { statusCommand } from './commands/status.ts';
import { deleteTokenCommand, listTokensCommand, mintTokenCommand, revokeTokenCommand } from './commands/tokens.ts';
import { Ending, exitCodes, misuse, unforeseen } from './ending.ts';
import { commandHelp, wholeHelp } from './help.ts';
import { typedYes } from './setup/typed.ts';
import { locationsOf, print, remark, type Terminal, thisTerminal } from './terminal.ts';

const commands: readonly TerminalCommand[] = [
  setupCommand,
  startCommand,
  stopCommand,
  statusCommand,
  pauseCommand,
  resumeCommand,
  doctorCommand,
  listConnectionsCommand,
  showConnectionCommand,
  addConnectionCommand,
  importCommand,
  setConnectionCommand,
  testConnectionCommand,
  roleCommand,
  removeConnectionCommand,
  listTokensCommand,
  mintTokenCommand,
  revokeTokenCommand,
  deleteTokenCommand,
  connectCommand,
  openCommand,
  // Before the word they begin with, which is a command of its own.
  approveCommand,
  refuseCommand,
  approvalsCommand,
  verifyActivityCommand,
  activityCommand,
  clearHistoryCommand,
  historyCommand,
  listSettingsCommand,
  getSettingCommand,
  setSettingCommand,
  setPassphraseCommand,
  clearPassphraseCommand,
  queryCommand,
  classifyCommand,
  installServiceCommand,
  uninstallServiceCommand,
  demoCommand,
];

async function run(terminal: Terminal, typed: readonly string[]): Promise<void> {
  const [first, second = ''] = typed;
  if (first === undefined) return withoutCommand(terminal);
  if (first === '--version' || first === 'version') return print(terminal, `sallyport ${version}`);
  const asksHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');
  const found = commands.find(({ words }) => words === first || words === `${first} ${second}`);
  if (found !== undefined) {
    const rest = typed.slice(found.words.split(' ').length);
    // After `--` a word is an argument, whatever it looks like.
    const beforeArguments = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (asksHelp(beforeArguments)) return print(terminal, commandHelp(found));
    return found.run(terminal, rest);
  }
  const group = commands.filter(({ words }) => words.startsWith(`${first} `));
  if (first === 'help' || asksHelp(typed)) return print(terminal, wholeHelp(group.length > 0 ? group : commands));
  if (group.length === 0) throw misuse('There is no such command; `sallyport --help` lists those there are.');
  throw misuse(`After ${first} one of ${group.map(({ words }) => words.split(' ')[1]).join(', ')} is expected.`);
}

/** Who types the name alone on a terminal is new here, or wants to be told what there is. */
async function withoutCommand(terminal: Terminal): Promise<void> {
  if (!terminal.stdin.isTTY) throw misuse('A command is expected; `sallyport --help` lists them.');
  if (existsSync(locationsOf(terminal).home)) return print(terminal, wholeHelp(commands));
  print(terminal, 'Sallyport lets AI clients use your databases without giving them your passwords.', '');
  if (await typedYes(terminal, 'Nothing is set up yet. Set it up now?', true)) await setUp(terminal, null);
}

const terminal = thisTerminal();
// A reader that has seen enough (`| head`) is no failure.
terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done);
  remark(terminal, `sallyport: The answer could not be written (${error.code}).`);
  process.exit(exitCodes.failed);
});
// Nobody reads what goes there: what was asked for is done all the same.
terminal.stderr.on('error', () => {});
run(terminal, process.argv.slice(2)).catch(error => {
  const ending = error instanceof Ending ? error : unforeseen(error);
  remark(terminal, `sallyport: ${ending.message}`);
  process.exitCode = ending.exitCode;
});
