/**
 * Offers a role of its own to a connection that signs in as one that may do more than its level
 * needs. Asks only where that role may be made at once, and makes nothing without a yes.
 */

import type { ControlCommands } from '../../shared/asked-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { askDaemon } from '../daemon.ts';
import { remark, say, type Terminal } from '../terminal.ts';
import { roleAccessWords, wordFor } from '../words.ts';
import { typedYes } from './typed.ts';

const roleHelp =
  'It asks for your passphrase. `sallyport connections role NAME` shows the SQL first, and makes the role later too.';

export async function offerRole(terminal: Terminal, connection: string): Promise<void> {
  const planned = await unlessRefused(terminal, planOf(terminal, connection));
  if (planned === null) return;
  const [name, role] = [shownText(planned.name), shownText(planned.role)];
  const may = wordFor(roleAccessWords, planned.access);
  const question = `Create the role ${role} (${may}) on the server and have ${name} sign in as it, so that nothing AI clients send can do more than that role may?`;
  if (!(await typedYes(terminal, question, false, roleHelp))) return;
  const made = askDaemon(terminal, 'connections.role', { connection, apply: planned.digest });
  if ((await unlessRefused(terminal, made)) !== null)
    say(terminal, `${name} signs in as ${role} now; its password is in the secret store.`);
}

/**
 * Without an owner passphrase nobody could confirm it. `connections test` and the doctor go on
 * advising it.
 */
async function planOf(
  terminal: Terminal,
  connection: string,
): Promise<ControlCommands['connections.role']['result'] | null> {
  const { passphrase } = await askDaemon(terminal, 'status', {});
  if (passphrase.state !== 'set') return null;
  const tested = await askDaemon(terminal, 'connections.test', { connection });
  if (!tested.reachable || !tested.roleDoesMore) return null;
  const planned = await askDaemon(terminal, 'connections.role', { connection });
  return planned.mayMake ? planned : null;
}

/** A refusal is told, and what was saved stays. */
async function unlessRefused<Result>(terminal: Terminal, asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === exitCodes.noDaemon) throw error;
    remark(terminal, error.message);
    return null;
  }
}
