/** One attempt at a statement: what it works with, and how it is given up. */

import type { DatabaseFailure, StatementOutcome, StatementRequest } from '../../query/database.ts';
import { cancelAndDestroy } from './cancel.ts';
import { addressOf } from './dial.ts';
import { connectionLost } from './failure.ts';
import type { FlightEnd, FlightLost, FlightReady, Link } from './link.ts';
import { done } from './outcome.ts';
import type { Pool } from './pool.ts';
import type { ResultReader } from './result.ts';
import type { Watch } from './watch.ts';

/** What one attempt works with. */
export interface Attempt {
  readonly pool: Pool;
  readonly link: Link;
  readonly request: StatementRequest;
  readonly reader: ResultReader;
  readonly watch: Watch;
}

/** The pooled link was dead before the server had said anything: nothing was run, another may be tried. */
export const stale = Symbol('stale');

export function isReady(end: FlightEnd | DatabaseFailure): end is FlightReady {
  return end.kind === 'ready';
}

/** The statement is not to go on, or can't: nothing of its session is used again. */
export function abandon(
  { pool, link, request, reader }: Attempt,
  end: 'cut' | Exclude<FlightEnd, FlightReady> | DatabaseFailure,
  mayHaveRun = request.session === 'alone',
): StatementOutcome | typeof stale {
  if (end !== 'cut' && end.kind === 'lost') return lost(pool, link, end, mayHaveRun);
  reader.stop();
  pool.background(cancelAndDestroy(pool.endpoint, link));
  if (end === 'cut') return done(reader, undefined);
  if (end.kind === 'copies') return { kind: 'unsupported', message: 'COPY from or to the client is not supported.' };
  return end;
}

function lost(pool: Pool, link: Link, end: FlightLost, mayHaveRun: boolean): DatabaseFailure | typeof stale {
  if (!mayHaveRun && !end.answered && link.used) return stale;
  return connectionLost(addressOf(pool.endpoint), end.reason);
}
