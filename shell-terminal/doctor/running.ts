/**
 * Whether a daemon runs, which version, who holds the lock, and whose the port is (spec §2). Starts
 * and ends nothing.
 */

import { readFileSync, statSync } from 'node:fs';
import type { ActivityPageView, StatusResult } from '../../shared/control-commands.ts';
import { readHandshake } from '../../shared/handshake.ts';
import type { Locations } from '../../shared/locations.ts';
import { portHolder } from '../../shared/port-holder.ts';
import { readStartFailure } from '../../shared/start-failure.ts';
import { version } from '../../shared/version.ts';
import type { Connecting } from '../control-client.ts';
import { shownTime } from '../words.ts';
import { advice, type Check, ok, problem } from './check.ts';

const defaultPort = 27_432;

/** One that is too old runs none of this (bridge/packaging/needed-node.cjs). */
export function checkNode(): Check {
  return ok('versions', `Sallyport ${version} on Node ${process.versions.node} (${process.execPath}).`);
}

/**
 * @param hasSecret whether this command has the secret to prove itself by; without, nothing can be
 * told of who answers.
 */
export function checkDaemon(
  connecting: Connecting,
  status: StatusResult | null,
  locations: Locations,
  hasSecret: boolean,
): Check[] {
  const lock = checkLock(locations, status?.pid ?? (hasSecret ? null : handshakePid(locations)));
  if (connecting.kind === 'untrusted') {
    if (!hasSecret)
      return [problem('daemon', 'Without its secrets nothing can be asked of it.', 'mend those first'), ...lock];
    return [
      problem('daemon', connecting.problem, 'end the process that holds the socket, then `sallyport start`'),
      ...lock,
    ];
  }
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
  if (failure === null) return ok('daemon', 'Not running; a client that asks starts it, or `sallyport start`.');
  const when = shownTime(new Date(failure.at).toISOString());
  return advice('daemon', `Not running. It could not start at ${when}: ${failure.sentence}.`);
}

/** What a person chose is no problem; it may be what they forgot. */
const stateWords: Readonly<Record<StatusResult['state'], string>> = {
  ready: 'ready',
  starting: 'starting',
  stopping: 'stopping',
  paused: 'paused, and refuses every client until `sallyport resume`',
  off: 'off, and serves no client until `sallyport settings set enabled true`',
};

/** Where nothing is confirmed, or somebody else may have chosen it, a person ought to know. */
export function checkPassphrase(status: StatusResult | null): Check[] {
  if (status === null) return [];
  const { state, chosen, reset } = status.passphrase;
  if (state === 'off') return [advice('passphrase', passphraseOff)];
  if (reset !== null)
    return [advice('passphrase', `Another one, chosen by ${reset.by}, counts from ${shownTime(reset.countsAt)} on.`)];
  if (chosen !== null && chosen.confirmedAt === null)
    return [advice('passphrase', `Chosen by ${chosen.by}. Was that you? \`sallyport passphrase confirm\` says so.`)];
  return [ok('passphrase', state === 'none' ? 'None is chosen yet.' : 'It is set.')];
}

const passphraseOff = 'It is off: any program that runs as you, your agents too, may allow itself anything.';

/** Whether its writer is who answers, `checkTrust` finds out without a secret. */
function handshakePid({ handshake }: Locations): number | null {
  const read = readHandshake(handshake);
  return read.kind === 'read' ? read.handshake.pid : null;
}

/**
 * A kernel lock ends with its process, so none is stale: only one held by a process that doesn't
 * answer is a problem.
 */
function checkLock({ lock }: Locations, daemonPid: number | null): Check[] {
  const holder = lockHolder(lock);
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
 * Null for none, and where the system doesn't tell. Lines: number, kind, …, process at the fifth
 * place, `major:minor:inode` next.
 */
function lockHolder(path: string): number | null {
  try {
    const { ino } = statSync(path, { bigint: true });
    const held = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .find(fields => fields[3] === 'WRITE' && fields[5]?.endsWith(`:${ino}`));
    return held === undefined ? null : Number(held[4]);
  } catch {
    return null;
  }
}

/**
 * While the activity log isn't being written, nothing that writes runs (spec §14). Verifies
 * nothing: that takes long.
 */
export function checkActivity({ problem: trouble }: Pick<ActivityPageView, 'problem'>): Check {
  if (trouble === null) return ok('activity', 'The log is being written; `sallyport activity verify` checks it.');
  return problem('activity', trouble, 'once that is mended it is written again by itself');
}

/** Said only where there are too few: how many there are is nobody's concern else. */
export function checkDescriptors(status: StatusResult | null): Check[] {
  const note = status?.notes.find(text => text.startsWith('Out of file descriptors'));
  if (note === undefined) return [];
  const [what = note] = note.split(/(?<=\.) /);
  return [problem('descriptors', what, 'close clients, or raise the limit (`ulimit -n`) and restart Sallyport')];
}

export function checkPort(status: StatusResult | null): Check {
  const taken = status?.notes.find(note => note.startsWith('Port '));
  const remedy = 'stop that program and restart Sallyport, or choose another with `sallyport settings set port`';
  if (taken !== undefined) return problem('port', taken, remedy);
  if (status !== null)
    return ok('port', status.port === null ? 'None, as the server is switched off.' : `${status.port}, on 127.0.0.1.`);
  const holder = portHolder(defaultPort);
  // It is in the store, which the daemon alone opens: no problem can be told from here.
  const isHeld = holder === null ? 'is free' : `belongs to ${holder}`;
  return ok('port', `Which is set is known once it runs; the default, ${defaultPort}, ${isHeld}.`);
}

const stopped = ' while Sallyport was stopped';

/** What the daemon found at its start (spec §14): it alone has both the store and the log. */
export function checkAccess(status: StatusResult | null): Check[] {
  if (status === null) return [];
  const paused = status.notes.find(each => each.startsWith('Sallyport started paused: '));
  const notes = status.notes.filter(each =>
    /^The (?:activity log doesn't know|store gave AI clients more of) /.test(each),
  );
  if (paused !== undefined) {
    const [says = paused, remedy = ''] = paused.split(/(?<=\.) (?=Look )/);
    return [problem('access', says, remedy.replace(/\.$/, '').replace('Look', 'look')), ...notes.map(accessProblem)];
  }
  if (notes.length === 0) return [ok('access', 'What connections and tokens allow is what the activity log recorded.')];
  return notes.map(accessProblem);
}

function accessProblem(note: string): Check {
  const end = note.indexOf(stopped);
  if (end < 0) return problem('access', note, 'look at each: `sallyport connections list`, `sallyport tokens list`');
  return problem('access', `${note.slice(0, end)}${stopped}.`, note.slice(end + stopped.length + 2).replace(/\.$/, ''));
}

/**
 * Connections that an older version saved with what may be a password; the daemon alone opens the
 * store, so it says.
 */
export function checkConnections(status: StatusResult | null): Check[] {
  if (status === null) return [];
  const note = status.notes.find(each => each.startsWith('A password may stand '));
  const [says = '', remedy = ''] = note?.split(' Run ') ?? [];
  return [
    note === undefined
      ? ok('connections', 'None shows what may be a password.')
      : problem('connections', says, `run ${remedy.replace(/\.$/, '')}`),
  ];
}
