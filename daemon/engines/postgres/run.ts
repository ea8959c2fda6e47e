/**
 * Runs one statement in the session that it is told to use; tries once more if a pooled session was
 * dead.
 */

import type { DatabaseFailure, RowSink, StatementOutcome, StatementRequest } from '../engine.ts';
import { addressOf } from './dial.ts';
import { connectionLost } from './failure.ts';
import type { Link } from './link.ts';
import { isLink, type Pool } from './pool.ts';
import { stale } from './run/attempt.ts';
import { runRead } from './run/read.ts';
import { ResultReader } from './run/result.ts';
import { runWrite } from './run/write.ts';
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

/** Rejects only with what the sink threw. */
export async function run(
  pool: Pool,
  names: TypeNames,
  request: StatementRequest,
  sink: RowSink,
): Promise<StatementOutcome> {
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
  request: StatementRequest,
  sink: RowSink,
  fresh: boolean,
): Promise<StatementOutcome | typeof stale> {
  const link = request.session === 'alone' ? await pool.dial(request) : await pool.acquire(request, fresh);
  if (!isLink(link)) return link;
  const reader = new ResultReader(link, sink, request.limits, names);
  const watch = watchStatement(request, pool.ports.now);
  const check = checkAfterIdle(link, pool.ports.now());
  try {
    const attempt = { pool, link, request, reader, watch };
    const outcome = await (request.session === 'read' ? runRead(attempt) : runWrite(attempt));
    if (reader.thrown !== null) throw reader.thrown.error;
    return outcome;
  } finally {
    reader.stop();
    watch.end();
    clearTimeout(check);
  }
}

/** An idle link may be dead without having been closed: its server must answer something soon. */
export function checkAfterIdle(link: Link, now: number): NodeJS.Timeout | undefined {
  if (!link.used || now - link.idleSince < checkAfterIdleMilliseconds) return undefined;
  const received = link.stream.receivedBytes;
  return setTimeout(() => {
    if (link.stream.receivedBytes === received) link.broken('no answer');
  }, checkMilliseconds);
}
