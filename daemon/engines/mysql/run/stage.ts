/**
 * The connection that a call works on for as long as it needs it. A stop of the call is passed to
 * the server, and a pooled connection that turns out dead is replaced once.
 */

import { millisecondsLeft } from '../../call-clock.ts';
import type { CallContext, DatabaseFailure, SessionKind } from '../../engine.ts';
import { askingForLock, type LockQuestion, tellingLock } from '../../lock-holder.ts';
import type { Made } from '../../made.ts';
import type { ReadWall } from '../../read-wall.ts';
import { afterWait, isFull } from '../../session-room.ts';
import { notConnected } from '../failure.ts';
import type { Lease, Pool } from '../pool.ts';
import type { Reply, Session } from '../session.ts';
import { type Watch, watch } from '../watch.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import type { Canceller } from './cancel.ts';
import type { Destination } from './destination.ts';
import { stopped } from './outcome.ts';
import { beginLookUps, beginSession } from './session-setup.ts';
import { type HowToLimit, type TimeLimits, timeLimits } from './time-limits.ts';

export interface Runner {
  readonly pool: Pool;
  readonly canceller: Canceller;
  readonly made: Made;
  readonly readWall: ReadWall;
  /** Aborted when the `Database` is closed. */
  readonly closing: AbortSignal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A connection, with ways to end early on it. */
export interface Stage {
  readonly lease: Lease;
  readonly watched: Watch;
  readonly made: Made;
  readonly readWall: ReadWall;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Starts the time after which a session that doesn't end its transaction ends (in-time.ts). */
  readonly endsUnanswered: () => NodeJS.Timeout;
  /** Ends the connection here and in the server. */
  readonly breakOff: () => void;
  /** From now on stops are not passed on. */
  readonly unstoppable: () => void;
  /** Tells the limits for that kind of session, which are watched from now on. */
  readonly limit: (kind: SessionKind, how?: HowToLimit) => TimeLimits;
  /** Sends a statement whose session is kept after a stop, so it can tell what it rolls back. */
  readonly interruptible: (send: () => Promise<Reply>) => Promise<Reply>;
}

/** Returned by work that did nothing yet, on a pooled connection that was dead. */
export const deadPooledConnection = { kind: 'dead_pooled_connection' } as const;
export type DeadPooledConnection = typeof deadPooledConnection;

type Work<T> = (stage: Stage) => Promise<T | DeadPooledConnection>;

/** After a call has run so long, a second connection is prepared, in case it must be killed. */
const warmAfterMilliseconds = 100;
/**
 * How long the set-up of a reused session may take. It is so small that silence means a dead
 * network.
 */
const setUpMilliseconds = 3000;
/** How much longer than the call's time COMMIT may take, as it waits for disks and replicas. */
const endMilliseconds = 1_500;

/**
 * Does work on a connection, on a second one if a pooled one turns out to be dead.
 * @param fresh uses a new connection even if one is idle.
 */
export async function onConnection<T extends { readonly kind: string }>(
  runner: Runner,
  context: CallContext,
  to: Destination,
  fresh: boolean,
  work: Work<T>,
): Promise<T | DatabaseFailure> {
  const until = runner.now() + millisecondsLeft(context);
  const watched = watch(context, runner.closing);
  try {
    for (const dialled of fresh ? [true] : [false, true]) {
      const result = await attempt(runner, context, to, { watched, until }, dialled, work);
      if (!isDead(result)) return result;
    }
    return notConnected('The server closed the connection.');
  } finally {
    watched.end();
  }
}

function isDead(result: { readonly kind: string }): result is DeadPooledConnection {
  return result === deadPooledConnection;
}

async function attempt<T extends { readonly kind: string }>(
  runner: Runner,
  context: CallContext,
  to: Destination,
  { watched, until }: { readonly watched: Watch; readonly until: number },
  fresh: boolean,
  work: Work<T>,
): Promise<T | DatabaseFailure | DeadPooledConnection> {
  const acquired = await runner.pool.acquire(to, fresh, watched.signal);
  if (acquired.kind !== 'done') return notBegun(context, watched, acquired);
  if (context.clock !== undefined) context.clock.stage = 'statement';
  const lease = acquired.value;
  const breakOff = (): void => runner.canceller.stop(lease.session);
  if (watched.signal.aborted) breakOff();
  else watched.signal.addEventListener('abort', breakOff, { once: true });
  const unstoppable = (): void => watched.signal.removeEventListener('abort', breakOff);
  const interruptible = async (send: () => Promise<Reply>): Promise<Reply> => {
    unstoppable();
    const reply = send();
    let interrupted = Promise.resolve();
    const interrupt = (): void => {
      interrupted = runner.canceller.interrupt(lease.session, reply);
    };
    if (watched.signal.aborted) interrupt();
    else watched.signal.addEventListener('abort', interrupt, { once: true });
    try {
      const { answer } = await reply;
      // A kill that is still under way would hit what comes next.
      if (answer.kind !== 'lost') await interrupted;
      return await reply;
    } finally {
      watched.signal.removeEventListener('abort', interrupt);
    }
  };
  let lock = null as LockQuestion | null;
  const limit = (kind: SessionKind, how: HowToLimit = {}): TimeLimits => {
    const limits = timeLimits(kind, lease.session, context, how);
    watched.limit(lease.session, limits);
    lock ??= askingForLock(
      how.givesWay === true ? null : signal => runner.canceller.lockSeen(lease.session, signal),
      limits.lock.seconds * 1_000,
    );
    return limits;
  };
  const warming = setTimeout(() => void runner.canceller.warm(lease.session), warmAfterMilliseconds);
  try {
    const { made, readWall, now } = runner;
    const endsUnanswered = (): NodeJS.Timeout =>
      setTimeout(() => lease.session.destroy(), until - now() + endMilliseconds);
    const ended = await work({
      lease,
      watched,
      made,
      readWall,
      now,
      endsUnanswered,
      breakOff,
      limit,
      unstoppable,
      interruptible,
    });
    return lock === null ? ended : await tellingLock(ended, lock);
  } finally {
    clearTimeout(warming);
    lock?.end();
    unstoppable();
    // A kept connection is released already; anything else, also after a throw, must not go back to
    // the pool.
    lease.discard();
  }
}

/** Why a call got no session. If its time ran out, that says nothing about its statement. */
function notBegun(context: CallContext, watched: Watch, failure: DatabaseFailure): DatabaseFailure {
  if (watched.reason() !== 'timeout') return stopped(watched) ?? failure;
  const { seconds } = watched;
  if (isFull(failure)) return afterWait(failure, seconds);
  const stage = context.clock?.stage ?? 'sign_in';
  if (stage === 'session') return { kind: 'busy', why: { who: 'sessions', seconds } };
  return { kind: 'no_answer', stage, seconds };
}

/**
 * Opens the session for a statement. On a connection that may have died in the pool this has less
 * time than on a new one.
 * @returns the first answer that failed, or the last; null if all is well.
 */
export async function openSession(
  lease: Lease,
  kind: SessionKind,
  limits: TimeLimits,
  xid: string,
  mayCommit = false,
): Promise<ServerAnswer | null> {
  const how = { rested: false, xid, mayCommit };
  return settingUp(lease, (session, rested) => beginSession(session, kind, limits, { ...how, rested }));
}

/** Opens the session for our questions. @returns null if the catalog can be asked. */
export async function openLookUps(lease: Lease, limits: TimeLimits): Promise<ServerAnswer | null> {
  return settingUp(lease, (session, rested) => beginLookUps(session, limits, rested));
}

async function settingUp<T>(
  { session, reused, rested }: Lease,
  setUp: (session: Session, rested: boolean) => Promise<T>,
): Promise<T> {
  const guard = reused ? setTimeout(() => session.destroy(), setUpMilliseconds) : null;
  const ready = await setUp(session, rested);
  if (guard !== null) clearTimeout(guard);
  return ready;
}
