/** One attempt at a statement: what it works with, and how it is given up. */

import type { CallClock } from '../../call-clock.ts';
import type { DatabaseFailure, StatementRequest } from '../../engine.ts';
import { addressOf } from '../dial.ts';
import { connectionLost, divisionByZero, endedByOwnLimit, outcomeUnknown } from '../failure.ts';
import type { Pool } from '../pool.ts';
import type { RoundTripEnd, RoundTripLost, RoundTripReady, Session } from '../session.ts';
import type { Watch } from '../watch.ts';
import { cancelAndDestroy } from './cancel.ts';
import { stoppedAlone } from './outcome.ts';
import type { ResultReader } from './result.ts';

/** What one attempt works with. */
export interface Attempt {
  readonly pool: Pool;
  readonly session: Session;
  /** Its limit is the attempt's, the same for server and watch. */
  readonly request: StatementRequest & { readonly clock: undefined };
  readonly clock: CallClock | undefined;
  readonly reader: ResultReader;
  readonly watch: Watch;
}

/**
 * The pooled session was dead before the server said anything: nothing ran, another may be tried.
 */
export const stale = Symbol('stale');

export function isReady(end: RoundTripEnd): end is RoundTripReady {
  return end.kind === 'ready';
}

/** The name is another session's: `invalid_sql_statement_name`, `duplicate_prepared_statement`. */
const foreignStatements: readonly (string | undefined)[] = ['26000', '42P05'];

/**
 * True if a round trip showed that the session is not ours: `sameProcess` (own-session.ts) failed,
 * or a kept statement is unknown there, or its name taken.
 *
 * @param openingCount number of statements that set the session up; an error of another statement
 *   says nothing about it.
 */
export function isAnothers(end: RoundTripEnd, openingCount: number): boolean {
  if (end.kind !== 'ready' || end.error === null || end.tags.length >= openingCount) return false;
  return end.error.code === divisionByZero || foreignStatements.includes(end.error.code);
}

/** Less than the time between a server's limit and the end of the call (call-clock.ts). */
const onItsWayMilliseconds = 200;

/**
 * What becomes of an abandoned statement: it was never sent or only reads; its transaction ends
 * with the session, as COMMIT was not sent; or it runs in no transaction.
 */
type Fate = 'not_sent' | 'taken_back' | 'may_stay';

/** Gives up a statement that must not or can't go on; nothing of its session is used again. */
export function abandon(
  { pool, session }: Pick<Attempt, 'pool' | 'session'>,
  end: RoundTripLost | DatabaseFailure,
  fate: Fate,
): DatabaseFailure | typeof stale {
  if (end.kind === 'lost') return lost(session, end, fate);
  // The server's own timeout has passed, and its word had time to come: it hangs.
  const isSilent = end.kind === 'timeout' && session.isSilentFor(end.seconds * 1_000 + onItsWayMilliseconds);
  if (end.kind === 'timeout') pool.silent(session.endpoint);
  const ended = isSilent ? { kind: 'no_answer' as const, stage: 'statement' as const, seconds: end.seconds } : end;
  pool.background(cancelAndDestroy(session));
  return fate === 'may_stay' && end.kind !== 'unsupported' ? outcomeUnknown(stoppedAlone) : ended;
}

/** Gives up a statement that was sent, as `abandon` does. */
export function abandonSent(
  attempt: Pick<Attempt, 'pool' | 'session'>,
  end: RoundTripLost | DatabaseFailure,
  fate: Exclude<Fate, 'not_sent'>,
): DatabaseFailure {
  const gone = abandon(attempt, end, fate);
  if (gone === stale) throw new Error('a statement that was sent is never stale');
  return gone;
}

function lost(session: Session, end: RoundTripLost, fate: Fate): DatabaseFailure | typeof stale {
  if (fate === 'may_stay') return outcomeUnknown(`the connection was lost (${end.reason})`);
  const limited = endedByOwnLimit(end.code);
  if (limited !== null) return limited;
  if (fate === 'not_sent' && !end.answered && session.used) return stale;
  return connectionLost(
    addressOf(session.endpoint),
    fate === 'taken_back' ? `${end.reason}; ${takenBack}` : end.reason,
  );
}

export const takenBack = 'nothing of the statement stays, as the server takes back what was not committed';
