/**
 * Runs one statement in the session that it is told to use; tries once more if a pooled session was
 * dead.
 */

import { withServerSeconds } from '../call-clock.ts';
import type { DatabaseFailure, RowSink, StatementOutcome, StatementRequest } from '../engine.ts';
import { tellingLock } from '../lock-holder.ts';
import { addressOf } from './dial.ts';
import { connectionLost } from './failure.ts';
import { isSession, type Pool } from './pool.ts';
import { stale } from './run/attempt.ts';
import { runRead } from './run/read.ts';
import { ResultReader } from './run/result.ts';
import { limitsFor, lowerLimits } from './run/time-limits.ts';
import { runWrite } from './run/write.ts';
import type { Session } from './session.ts';
import { watchStatement } from './watch.ts';
import type { TypeNames } from './wire/type-names.ts';

/**
 * A connection idle for longer may have died silently (sleep, another network): its first answer is
 * awaited below.
 */
const checkAfterIdleMilliseconds = 5_000;
const checkMilliseconds = 3_000;
/** The protocol counts parameters in 16 bits. */
const mostParameters = 65_535;

/** `isBeside`: the call that asks holds another session meanwhile. */
type Request = StatementRequest & { readonly isBeside?: boolean };

/** Rejects only with what the sink threw. */
export async function run(pool: Pool, names: TypeNames, request: Request, sink: RowSink): Promise<StatementOutcome> {
  const refusal = refuse(request);
  if (refusal !== null) return refusal;
  const outcome = await attempt(pool, names, request, sink, false);
  if (outcome !== stale) return outcome;
  const second = await attempt(pool, names, request, sink, true);
  return second === stale ? connectionLost(addressOf(pool.endpoint), 'it was closed twice') : second;
}

export function refuse(request: StatementRequest): DatabaseFailure | null {
  // The protocol ends a text at NUL: the server would run only the part before it.
  if (request.sql.includes('\0'))
    return { kind: 'query_failed', message: 'The statement contains a NUL character.', code: null };
  if (request.parameters.some(value => typeof value === 'string' && value.includes('\0'))) {
    return {
      kind: 'query_failed',
      message: 'A parameter contains a NUL character, which PostgreSQL text cannot hold.',
      code: null,
    };
  }
  if (request.parameters.length > mostParameters) {
    return { kind: 'query_failed', message: `PostgreSQL takes at most ${mostParameters} parameters.`, code: null };
  }
  if (request.preconditions !== undefined && request.session !== 'read') {
    return { kind: 'unsupported', message: 'Only what reads can be provided with conditions.' };
  }
  return null;
}

async function attempt(
  pool: Pool,
  names: TypeNames,
  asked: Request,
  sink: RowSink,
  fresh: boolean,
): Promise<StatementOutcome | typeof stale> {
  const usual = asked.isBeside === true ? 'beside' : fresh ? 'fresh' : 'any';
  const session = await pool.acquire(asked, asked.session === 'alone' ? 'new' : usual);
  if (!isSession(session)) return session;
  const { clock } = asked;
  if (clock !== undefined) clock.stage = 'statement';
  const request = withServerSeconds(asked);
  const reader = new ResultReader(session, sink, request.limits, names);
  const watch = watchStatement(request, pool.ports.now);
  const ours = limitsFor(request.session, request);
  watch.limit(ours, session.limits);
  const lock = pool.askingForLock(session, lowerLimits(ours, session.limits));
  const check = checkAfterIdle(session, pool.ports.now());
  try {
    const attempt = { pool, session, request, clock, reader, watch };
    const outcome = await (request.session === 'read' ? runRead(attempt) : runWrite(attempt));
    if (reader.thrown !== null) throw reader.thrown.error;
    return typeof outcome === 'symbol' ? outcome : await tellingLock(outcome, lock);
  } finally {
    reader.stop();
    watch.end();
    lock.end();
    clearTimeout(check);
  }
}

/**
 * An idle session may be dead without having been closed: its server must answer something soon.
 */
export function checkAfterIdle(session: Session, now: number): NodeJS.Timeout | undefined {
  if (!session.used || now - session.idleSince < checkAfterIdleMilliseconds) return undefined;
  const received = session.stream.receivedBytes;
  return setTimeout(() => {
    if (session.stream.receivedBytes === received) session.broken('no answer');
  }, checkMilliseconds);
}
