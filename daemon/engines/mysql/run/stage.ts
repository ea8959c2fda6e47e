/**
 * The connection that a call works on for as long as it needs it. A stop of the call is passed to
 * the server, and a pooled connection that turns out dead is replaced once.
 */

import type { CallContext, DatabaseFailure, SessionKind } from '../../engine.ts';
import type { Made } from '../../made.ts';
import type { ReadWall } from '../../read-wall.ts';
import { notConnected } from '../failure.ts';
import type { Lease, Pool } from '../pool.ts';
import type { Reply, Session } from '../session.ts';
import { type Watch, watch } from '../watch.ts';
import type { ServerAnswer } from '../wire/answer-reader.ts';
import type { Canceller } from './cancel.ts';
import type { Destination } from './destination.ts';
import { stopped } from './outcome.ts';
import { beginLookUps, beginSession } from './session-setup.ts';

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
  /** Ends the connection here and in the server. */
  readonly breakOff: () => void;
  /** From now on stops are not passed on. */
  readonly unstoppable: () => void;
  /** Sends a statement whose session is kept after a stop, so it can tell what it rolls back. */
  readonly interruptible: (send: () => Promise<Reply>) => Promise<Reply>;
}

/** Returned by work that did nothing yet, on a pooled connection that was dead. */
export const deadPooledConnection = { kind: 'dead_pooled_connection' } as const;
export type DeadPooledConnection = typeof deadPooledConnection;

type Work<T> = (stage: Stage) => Promise<T | DeadPooledConnection>;

/** After so long a second connection is prepared for a kill. */
const warmAfterMilliseconds = 100;
/** A dead network gives no answer; the session's set-up is so small that silence means that. */
const setUpMilliseconds = 3000;

/** @param fresh uses a new connection even if one is idle */
export async function onConnection<T extends { readonly kind: string }>(
  runner: Runner,
  context: CallContext,
  to: Destination,
  fresh: boolean,
  work: Work<T>,
): Promise<T | DatabaseFailure> {
  const watched = watch(context.signal, runner.closing, context.timeoutSeconds);
  try {
    for (const dialled of fresh ? [true] : [false, true]) {
      const result = await attempt(runner, context, to, watched, dialled, work);
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

async function attempt<T>(
  runner: Runner,
  context: CallContext,
  to: Destination,
  watched: Watch,
  fresh: boolean,
  work: Work<T>,
): Promise<T | DatabaseFailure | DeadPooledConnection> {
  const acquired = await runner.pool.acquire(to, fresh, watched.signal);
  if (acquired.kind !== 'done') return notBegun(context, watched) ?? acquired;
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
      // A kill still under way would hit what comes next.
      if (answer.kind !== 'lost') await interrupted;
      return await reply;
    } finally {
      watched.signal.removeEventListener('abort', interrupt);
    }
  };
  const warming = setTimeout(() => runner.canceller.warm(lease.session), warmAfterMilliseconds);
  try {
    const { made, readWall, now } = runner;
    return await work({ lease, watched, made, readWall, now, breakOff, unstoppable, interruptible });
  } finally {
    clearTimeout(warming);
    unstoppable();
    // A kept connection is released already; anything else, also after a throw, must not go back to
    // the pool.
    lease.discard();
  }
}

/** Time ran out before the session began, which says nothing about the statement. */
function notBegun(context: CallContext, watched: Watch): DatabaseFailure | null {
  if (watched.reason() !== 'timeout') return stopped(context, watched);
  return notConnected(`The server gave no session within ${context.timeoutSeconds} s, so nothing ran.`);
}

/**
 * Opens the session on a connection that may have died in the pool, with less time than on a new
 * one. @returns null if all is well.
 */
export async function openSession(
  lease: Lease,
  kind: SessionKind,
  timeoutSeconds: number,
  xid: string,
  mayCommit = false,
  givesWay = false,
): Promise<ServerAnswer | null> {
  const how = { rested: false, xid, mayCommit, givesWay };
  return settingUp(lease, (session, rested) => beginSession(session, kind, timeoutSeconds, { ...how, rested }));
}

/** @returns null if the catalog can be asked */
export async function openLookUps(lease: Lease, timeoutSeconds: number): Promise<ServerAnswer | null> {
  return settingUp(lease, (session, rested) => beginLookUps(session, timeoutSeconds, rested));
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
