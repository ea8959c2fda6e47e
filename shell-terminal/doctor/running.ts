/**
 * Checks whether a daemon runs, its version, who holds the lock, and who has the port (spec §2).
 * Starts and ends nothing.
 */

import type { ActivityPageView, PassphraseView, StatusResult } from '../../shared/control-commands.ts';
import { readHandshake } from '../../shared/handshake.ts';
import type { Locations } from '../../shared/locations.ts';
import { lockHolder } from '../../shared/lock-holder.ts';
import type { Note } from '../../shared/note.ts';
import { portHolder } from '../../shared/port-holder.ts';
import { readStartFailure } from '../../shared/start-failure.ts';
import { version } from '../../shared/version.ts';
import type { Connecting } from '../control-client.ts';
import { wasDoneHere } from '../same-terminal.ts';
import { shownTime } from '../words.ts';
import { advice, type Check, ok, problem } from './check.ts';

const defaultPort = 27_432;

/** A Node that is too old never gets here (bridge/packaging/needed-node.cjs). */
export function checkNode(): Check {
  return ok('versions', `Sallyport ${version} on Node ${process.versions.node} (${process.execPath}).`);
}

/**
 * @param hasSecret true if this command has the secret to prove itself by. Without it, nothing is
 *   known about who answers.
 */
export async function checkDaemon(
  connecting: Connecting,
  status: StatusResult | null,
  locations: Locations,
  hasSecret: boolean,
): Promise<Check[]> {
  const lock = await checkLock(locations, status?.pid ?? (hasSecret ? null : handshakePid(locations)));
  if (connecting.kind === 'untrusted') {
    if (!hasSecret)
      return [
        problem('daemon', 'Without the secrets, this command can ask it nothing.', 'fix the secrets first'),
        ...lock,
      ];
    return [
      problem('daemon', connecting.problem, 'end the process that holds the socket, then `sallyport start`'),
      ...lock,
    ];
  }
  if (connecting.kind === 'unanswered')
    return [problem('daemon', connecting.problem, '`sallyport stop`, then `sallyport start`'), ...lock];
  if (status === null) return [notRunning(locations), ...lock];
  const runs = `Process ${status.pid} runs, ${stateWords[status.state]}.`;
  const daemon =
    status.version === version
      ? ok('daemon', runs)
      : problem(
          'daemon',
          `${runs} It is version ${status.version}, this command ${version}.`,
          '`sallyport stop`, then `sallyport start`',
        );
  return [daemon, ...lock];
}

function notRunning({ home }: Locations): Check {
  const failure = readStartFailure(home);
  if (failure === null) return ok('daemon', "Not running; a client's next call starts it, or `sallyport start`.");
  const when = shownTime(new Date(failure.at).toISOString());
  return advice('daemon', `Not running. It could not start at ${when}: ${failure.sentence}.`);
}

/** No problem, since the person chose it; but they may have forgotten. */
const stateWords: Readonly<Record<StatusResult['state'], string>> = {
  ready: 'ready',
  starting: 'starting',
  stopping: 'stopping',
  paused: 'paused, and refuses every client until `sallyport resume`',
  off: 'off, and serves no client until `sallyport settings set enabled true`',
};

/** Tells the person if nothing is confirmed, or if somebody else may have chosen the passphrase. */
export async function checkPassphrase(status: StatusResult | null): Promise<Check[]> {
  if (status === null) return [];
  const { state, chosen, reset, unconfirmed = [] } = status.passphrase;
  const isOwnDeed = chosen !== null && (await wasDoneHere(chosen));
  const checks = passphraseCheck(state, isOwnDeed ? null : chosen, reset);
  if (unconfirmed.length === 0) return checks;
  const what = `Nobody has confirmed what was allowed while the owner passphrase was off: ${unconfirmed.join('; ')}. \`sallyport passphrase confirm --keep\` or \`--take-back\` decides.`;
  return [...checks, advice('grants', what)];
}

function passphraseCheck(
  state: PassphraseView['state'],
  chosen: PassphraseView['chosen'],
  reset: PassphraseView['reset'],
): Check[] {
  if (state === 'off') return [advice('passphrase', passphraseOff)];
  if (reset !== null)
    return [advice('passphrase', `Another one, chosen by ${reset.by}, counts from ${shownTime(reset.countsAt)} on.`)];
  if (chosen !== null && chosen.confirmedAt === null)
    return [advice('passphrase', `Chosen by ${chosen.by}. Was that you? Then run \`sallyport passphrase confirm\`.`)];
  return [ok('passphrase', state === 'none' ? 'None is chosen yet.' : 'It is set.')];
}

const passphraseOff = 'It is off: any program that runs as you, your agents too, can grant itself any access.';

/** `checkTrust` checks, without a secret, that its writer is the one that answers. */
function handshakePid({ handshake }: Locations): number | null {
  const read = readHandshake(handshake);
  return read.kind === 'read' ? read.handshake.pid : null;
}

/**
 * A kernel lock ends with its process, so it is never stale. The only problem is a holder that
 * doesn't answer.
 */
async function checkLock({ lock }: Locations, daemonPid: number | null): Promise<Check[]> {
  const holder = (await lockHolder(lock))?.pid ?? null;
  if (holder === null) return [];
  if (holder === daemonPid) return [ok('lock', `Held by process ${holder}, the daemon.`)];
  return [
    problem(
      'lock',
      `Process ${holder} holds ${lock}, but is not the daemon that answers here.`,
      `wait a moment if it is starting or stopping; else end process ${holder}`,
    ),
  ];
}

/**
 * While the activity log can't be written, nothing that writes runs (spec §14). Doesn't verify the
 * log: that takes long.
 */
export function checkActivity({ problem: trouble }: Pick<ActivityPageView, 'problem'>): Check {
  if (trouble === null) return ok('activity', 'The log is being written; `sallyport activity verify` checks it.');
  return problem('activity', trouble, 'once that is fixed, Sallyport writes it again by itself');
}

/** Reported only if there are too few. */
export function checkDescriptors(status: StatusResult | null): Check[] {
  return notesIn(status, ['no_descriptors']).map(note => noted('descriptors', note));
}

export function checkPort(status: StatusResult | null): Check {
  const [taken] = notesIn(status, ['unserved', 'port_taken']);
  if (taken !== undefined) return noted('port', taken);
  if (status !== null)
    return ok('port', status.port === null ? 'None: the server is switched off.' : `${status.port}, on 127.0.0.1.`);
  const holder = portHolder(defaultPort);
  // The port is in the store, which only the daemon opens, so this can't be called a problem.
  const isHeld = holder === null ? 'is free' : `belongs to ${holder}`;
  return ok('port', `The setting is known once Sallyport runs; the default, ${defaultPort}, ${isHeld}.`);
}

/**
 * What the daemon found at its start (spec §14): only the daemon has both the store and the log.
 */
export function checkAccess(status: StatusResult | null): Check[] {
  if (status === null) return [];
  const notes = notesIn(status, ['started_paused', 'taken_back', 'unknown_to_log']);
  if (notes.length === 0) return [ok('access', 'Connections and tokens allow exactly what the activity log recorded.')];
  return notes.map(note => noted('access', note));
}

function notesIn(status: StatusResult | null, codes: readonly Note['code'][]): readonly Note[] {
  return status?.notes.filter(({ code }) => codes.includes(code)) ?? [];
}

function noted(name: string, { sentence, advice }: Note): Check {
  return { name, ok: false, says: sentence, remedy: advice ?? null };
}
