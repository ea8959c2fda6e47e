/**
 * One run of the daemon (spec §2): the home, its lock, the state in it, then it listens; the
 * reverse at the stop.
 */

import { isHome } from '../shared/home-place.ts';
import { homeFolder, type LocationEnvironment, locationsIn } from '../shared/locations.ts';
import { takeSpareDescriptors, tooFewDescriptors } from '../shared/spare-descriptors.ts';
import { lockHeldExitCode } from '../shared/start-failure.ts';
import { wasJustKeptStopped } from '../shared/stopped-until-login.ts';
import { diskFault, errorCode } from './disk-fault.ts';
import { startListening } from './listen.ts';
import { stopSignals } from './processes/stop-signals.ts';
import { openState } from './state.ts';
import { prepareHome, watchHome } from './storage/home.ts';
import { acquireLock } from './storage/lock-or-holder.ts';
import { forgetStartFailure, keepStartFailure } from './storage/start-failure.ts';
import { undoInReverse } from './undo.ts';

/** @returns the exit code, once the daemon has stopped. */
export async function startDaemon(environment: LocationEnvironment): Promise<number> {
  const stopped = stopSignals();
  const undo = undoInReverse();
  let home: string | null = null;
  try {
    refuseTooFewDescriptors();
    home = homeFolder(environment);
    // Who starts one takes the note away first, but for a service that starts a killed one anew.
    if (wasJustKeptStopped(home)) {
      process.stderr.write('Sallyport was just stopped until you log in again; `sallyport start` starts it.\n');
      return 0;
    }
    prepareHome(home);
    const lock = await acquireLock(locationsIn(home));
    if (lock.kind === 'held_by_other') {
      process.stderr.write(`${lock.sentence}\n`);
      return lock.isLive ? 0 : lockHeldExitCode;
    }
    undo.later(() => lock.held.release());
    const state = await openState(home, stopped.cause, undo);
    // Looked at before anybody can know that we run and remove the home.
    const isHomeThere = watchHome(home);
    await startListening(state, stopped.request, undo);
    forgetStartFailure(home);
    const watch = setInterval(() => {
      // Without its lock it could be served twice, and `sallyport` takes it for stopped.
      if (isHomeThere() && !lock.held.isThere()) stopped.request({ reason: 'daemon.lock was removed or replaced' });
    }, lockWatchMilliseconds);
    undo.later(() => clearInterval(watch));
    await stopped.requested;
    return 0;
  } catch (error) {
    const sentence = startFault(error, home ?? 'its home');
    process.stderr.write(`sallyportd could not start: ${sentence}\n`);
    // Elsewhere nothing is ours to write.
    if (home !== null && isHome(home)) keepStartFailure(home, sentence);
    return 1;
  } finally {
    await undo.all();
  }
}

const lockWatchMilliseconds = 500;

/**
 * Needed to answer one statement: locks, store, log, threads, sockets, the classifying thread, a
 * database's process.
 */
const neededDescriptors = 40;

function refuseTooFewDescriptors(): void {
  const giveBack = takeSpareDescriptors(neededDescriptors);
  if (giveBack === null) throw new Error(tooFewDescriptors);
  giveBack();
}

function startFault(error: unknown, home: string): string {
  const fault = diskFault(error, home);
  if (fault !== null) return `${fault}, then start Sallyport again.`;
  if (!(error instanceof Error)) return String(error);
  const isOfStore = errorCode(error).startsWith('SQLITE_');
  return isOfStore
    ? `${locationsIn(home).store} can't be used (${error.message}); restore it from a backup.`
    : error.message;
}
