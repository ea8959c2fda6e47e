/**
 * Reaches the daemon of this home as a proved shell, or for brakes alone, or says why that is not
 * possible. It starts nothing.
 */

import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ControlCommands, ControlMethod } from '../shared/asked-commands.ts';
import { errorCodes } from '../shared/codes.ts';
import type { FieldRefused } from '../shared/control.ts';
import { isObject } from '../shared/json.ts';
import type { Locations } from '../shared/locations.ts';
import { type LockHolder, lockHolder } from '../shared/lock-holder.ts';
import { folderProblem } from '../shared/private-files.ts';
import type { RefusalData } from '../shared/refusals.ts';
import { unusableHome } from '../shared/usable-home.ts';
import { CliError, exitCodes, failed, noDaemon } from './cli-error.ts';
import {
  type Connecting,
  ConnectionLost,
  type ControlClient,
  connectToDaemon,
  connectUnproved,
  Refused,
} from './control-client.ts';
import { withConfirmation } from './owner-passphrase.ts';
import { findShellSecret } from './shell-secret.ts';
import { locationsOf, remark, type Terminal } from './terminal.ts';

const proofMilliseconds = 5_000;
/** How long to look for the socket of a daemon that runs: it makes a lost one anew in a second. */
const healingMilliseconds = 1_500;
const redialMilliseconds = 50;

/** Connects to the daemon if one runs. The caller closes the client. */
export async function tryDaemon(terminal: Terminal): Promise<Connecting> {
  // Without this check another user's daemon would look like one that doesn't run.
  const unusable = unusableHome(locationsOf(terminal).home);
  if (unusable !== null) return { kind: 'untrusted', problem: unusable };
  const giveUpAt = performance.now() + healingMilliseconds;
  for (;;) {
    // The socket's folder may be made anew meanwhile, under another name.
    const locations = locationsOf(terminal);
    const connecting = await connected(locations, terminal);
    if (connecting.kind !== 'absent' && connecting.kind !== 'unanswered') return connecting;
    const holder = await lockHolder(locations.lock);
    if (holder === null) return connecting;
    if (performance.now() > giveUpAt) return unansweredBy(holder, locations);
    await wait(redialMilliseconds);
  }
}

async function connected(locations: Locations, { environment }: Terminal): Promise<Connecting> {
  // This is checked before the keychain is asked, which may open a window.
  if (!existsSync(locations.controlSocket)) return { kind: 'absent' };
  const open = folderProblem(locations.controlSocketFolder);
  const how = { ...locations, proofMilliseconds };
  if (open !== null)
    return connectUnproved(how, `${open}, so this command proves nothing there. Close it to others, then try again.`);
  const secret = await findShellSecret(locations, environment);
  if (secret.kind === 'found') return connectToDaemon({ ...how, shellSecret: secret.secret, shell: 'terminal' });
  return connectUnproved(how, secret.kind === 'unusable' ? secret.problem : secretGone(locations));
}

/**
 * Why nothing answers though a process holds the home's lock. Only a free lock proves that no
 * daemon runs: the socket may be gone, or not answer.
 */
function unansweredBy(holder: LockHolder, { lock }: Locations): Connecting {
  const who = holder.pid === null ? 'Another process' : `Process ${holder.pid}`;
  const problem = `${who} holds ${lock}, so Sallyport runs, but its control socket doesn't answer: it is starting or stopping. Wait a moment, then try again; if it hangs, \`sallyport stop\` ends it.`;
  return { kind: 'unanswered', problem };
}

function secretGone({ home }: Locations): string {
  return `The secret by which this command proves itself is gone from ${home}. Run \`sallyport stop\`, put secrets.json and store.json back from a backup, then \`sallyport start\`.`;
}

/** @throws CliError 69 if no daemon runs, 1 if it can't be believed. */
export async function withDaemon<Result>(
  terminal: Terminal,
  use: (client: ControlClient) => Promise<Result>,
): Promise<Result> {
  const connecting = await tryDaemon(terminal);
  if (connecting.kind === 'absent') throw noDaemon();
  if (connecting.kind !== 'connected') throw failed(connecting.problem, connecting.kind);
  try {
    const used = await use(withConfirmation(connecting.client, sentence => remark(terminal, sentence)));
    tellUnproved(terminal, connecting.client.unproved);
    return used;
  } catch (error) {
    throw endingOf(error);
  } finally {
    connecting.client.close();
  }
}

const told = new WeakSet<Terminal>();

/** Tells once a command that nothing was proved: any program of this user could have answered. */
function tellUnproved(terminal: Terminal, why: string | null): void {
  if (why === null || told.has(terminal)) return;
  told.add(terminal);
  remark(
    terminal,
    `Who answered did not prove that it is Sallyport; if clients are still served, \`sallyport stop\` ends the process that holds the home. ${why}`,
  );
}

export function askDaemon<Method extends ControlMethod>(
  terminal: Terminal,
  method: Method,
  params: ControlCommands[Method]['params'],
): Promise<ControlCommands[Method]['result']> {
  return withDaemon(terminal, client => client.ask(method, params));
}

/** A daemon's refusal as the command's failure; any other error as it is. */
export function endingOf(error: unknown): unknown {
  if (error instanceof ConnectionLost) return failed(error.message, 'connection_lost');
  if (!(error instanceof Refused)) return error;
  const misused = error.code === errorCodes.invalidParams;
  // The daemon has proved itself, so its data has the declared types.
  const data = isObject(error.data) ? (error.data as unknown as RefusalData & Partial<FieldRefused>) : null;
  const refused = data?.field === undefined ? null : (data as FieldRefused);
  const told = { code: data?.code, values: data?.values, refused };
  return new CliError(misused ? exitCodes.misuse : exitCodes.failed, error.message, told);
}
