/** Reaches the daemon of this home as a proved shell, or says why it can't. Starts nothing. */

import { existsSync } from 'node:fs';
import type { ControlCommands, ControlMethod } from '../shared/asked-commands.ts';
import { errorCodes } from '../shared/codes.ts';
import { unusableHome } from '../shared/usable-home.ts';
import { CliError, exitCodes, failed, noDaemon } from './cli-error.ts';
import { type Connecting, ConnectionLost, type ControlClient, connectToDaemon, Refused } from './control-client.ts';
import { withConfirmation } from './owner-passphrase.ts';
import { findShellSecret } from './shell-secret.ts';
import { locationsOf, remark, type Terminal } from './terminal.ts';

const proofMilliseconds = 5_000;

export async function tryDaemon(terminal: Terminal): Promise<Connecting> {
  const locations = locationsOf(terminal);
  // Otherwise another user's daemon would look like one that doesn't run.
  const unusable = unusableHome(locations.home);
  if (unusable !== null) return { kind: 'untrusted', problem: unusable };
  // Checked before the keychain, which may open a window.
  if (!existsSync(locations.controlSocket)) return { kind: 'absent' };
  const secret = await findShellSecret(locations, terminal.environment);
  if (secret.kind === 'absent') return { kind: 'absent' };
  if (secret.kind === 'unusable') return { kind: 'untrusted', problem: secret.problem };
  return connectToDaemon({ ...locations, shellSecret: secret.secret, shell: 'terminal', proofMilliseconds });
}

/** @throws Ending 69 if no daemon runs, 1 if it can't be believed. */
export async function withDaemon<Result>(
  terminal: Terminal,
  use: (client: ControlClient) => Promise<Result>,
): Promise<Result> {
  const connecting = await tryDaemon(terminal);
  if (connecting.kind === 'absent') throw noDaemon();
  if (connecting.kind === 'untrusted') throw failed(connecting.problem);
  try {
    return await use(withConfirmation(connecting.client, sentence => remark(terminal, sentence)));
  } catch (error) {
    throw endingOf(error);
  } finally {
    connecting.client.close();
  }
}

export function askDaemon<Method extends ControlMethod>(
  terminal: Terminal,
  method: Method,
  params: ControlCommands[Method]['params'],
): Promise<ControlCommands[Method]['result']> {
  return withDaemon(terminal, client => client.ask(method, params));
}

function endingOf(error: unknown): unknown {
  if (error instanceof ConnectionLost) return failed(error.message);
  if (!(error instanceof Refused)) return error;
  const misused = error.code === errorCodes.invalidParams;
  return new CliError(misused ? exitCodes.misuse : exitCodes.failed, error.message);
}
