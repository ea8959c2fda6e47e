/**
 * One statement on one connection. The order of steps is the contract: session, statement, ending. A connection that
 * is not given back here is thrown away by the caller.
 */

import { randomUUID } from 'node:crypto';
import type { RowSink, Session, StatementLimits, StatementOutcome, StatementRequest } from '../../query/database.ts';
import type { Channel } from './channel.ts';
import { serverFailure } from './failure.ts';
import { done, failure, notes, outcomeUnknown, stopped } from './outcome.ts';
import { prepareAndExecute } from './parameters.ts';
import { ending, isAsWeLeftIt } from './session.ts';
import { type DeadPooledConnection, deadPooledConnection, openSession, type Stage } from './stage.ts';

/** @returns `dead_pooled_connection` where another connection may be tried, as nothing was done on this one. */
export async function runStatement(
  request: StatementRequest,
  sink: RowSink,
  stage: Stage,
): Promise<StatementOutcome | DeadPooledConnection> {
  const { lease, watched } = stage;
  const { channel } = lease;
  const { session, timeoutSeconds } = request;
  const bound = request.parameters.length === 0 ? null : prepareAndExecute(request.sql, request.parameters);
  if (typeof bound === 'string') return { kind: 'query_failed', message: bound, code: null };

  const xid = `sallyport-${randomUUID()}`;
  let ready = await openSession(lease, session, timeoutSeconds, xid);
  for (const sql of bound?.before ?? []) if (ready.kind === 'ok') ready = (await channel.query(sql)).answer;
  if (ready.kind !== 'ok') {
    if (ready.kind === 'lost' && lease.reused && watched.reason() === null) return deadPooledConnection;
    if (ready.kind === 'error' && keepsAfterError(session)) lease.release();
    return failure(request, watched, ready);
  }

  const sentAt = stage.now();
  const whole = session === 'write' ? { sink: wholeWrite(sink), limits: unlimitedWire(request.limits) } : null;
  const reply = await channel.query(
    bound?.execute ?? request.sql,
    whole?.sink ?? sink,
    whole?.limits ?? request.limits,
  );
  const { answer } = reply;
  if (answer.kind === 'stopped') {
    stage.breakOff();
    return done(null, answer.why === 'wire', notes(reply));
  }
  if (answer.kind !== 'ok') {
    if (answer.kind === 'error' && keepsAfterError(session)) lease.release();
    return failure(request, watched, answer);
  }

  // A stop that came with the answer has cut the connection, so nothing is committed.
  const late = session === 'alone' ? null : stopped(request, watched);
  if (late !== null) return late;
  // MariaDB's own time limit lets benchmark() and its like end as if they had succeeded.
  if (session !== 'alone' && stage.now() - sentAt >= timeoutSeconds * 1000) {
    return { kind: 'timeout', seconds: timeoutSeconds };
  }

  const warnings = notes(reply);
  if (answer.furtherResults) warnings.push('The statement gave further results, which are left out.');
  // From here on the truth is the server's: a client that leaves now can't undo a commit.
  stage.unstoppable();
  const guard = setTimeout(() => channel.destroy(), timeoutSeconds * 1000);
  try {
    for (const sql of ending(session, xid)) {
      const { answer: end } = await channel.query(sql);
      if (end.kind === 'error') return serverFailure(end, session, timeoutSeconds);
      if (end.kind !== 'ok') return session === 'write' ? outcomeUnknown() : failure(request, watched, end);
      if (end.warnings > 0) warnings.push(...(await endWarnings(channel)));
    }
  } finally {
    clearTimeout(guard);
  }
  if (isAsWeLeftIt(session, answer) && session !== 'alone') lease.release();
  return done(session === 'read' ? null : answer.affectedRows, false, warnings);
}

/** Cleaning rolls back what is open; a transaction meant to be taken back is safest thrown away with its connection. */
function keepsAfterError(session: Session): boolean {
  return session === 'read' || session === 'write';
}

/** What a rollback could not take back (warning 1196): tables of an engine without transactions. */
export async function endWarnings(channel: Channel): Promise<string[]> {
  const sentences: string[] = [];
  await channel.query('SHOW WARNINGS', {
    columns: () => {},
    row: ([, , message]) => {
      if (typeof message === 'string') sentences.push(message);
      return true;
    },
  });
  return sentences;
}

/** A write is not broken off because its `RETURNING` rows are too many: those past the limits are read and dropped. */
export function wholeWrite(sink: RowSink): RowSink {
  let wanted = true;
  return {
    columns: columns => sink.columns(columns),
    row: cells => {
      wanted = wanted && sink.row(cells);
      return true;
    },
  };
}

/** Rows are read cell by cell, so that what is dropped costs no memory. */
export function unlimitedWire(limits: StatementLimits): StatementLimits {
  return { ...limits, wireBytes: Number.POSITIVE_INFINITY };
}
