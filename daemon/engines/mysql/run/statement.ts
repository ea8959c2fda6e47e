/**
 * Runs one statement on one connection, always in this order: the session is set up, the statement
 * runs, the session's transaction ends. The caller discards a connection that is not given back
 * here.
 */

import { randomUUID } from 'node:crypto';
import type {
  AskWithin,
  RowSink,
  SessionKind,
  StatementLimits,
  StatementOutcome,
  StatementRequest,
} from '../../engine.ts';
import { atStep } from '../../look-up.ts';
import { type Cell, cellsOf, type RowText } from '../../row-text.ts';
import { startCount } from '../count/row-count.ts';
import type { Lease } from '../pool.ts';
import type { Session } from '../session.ts';
import { withoutLead } from './emptiness.ts';
import { addedRows, watchMade } from './made-tables.ts';
import { done, failedAlone, failedCommit, failure, notes, outcomeUnknown, stopped } from './outcome.ts';
import { prepareAndExecute } from './parameters.ts';
import { providing } from './preconditions.ts';
import { newXid } from './read-transaction.ts';
import { isWallHeld } from './read-wall.ts';
import { askWarnings, collectWarnings, endWarnings, warningsQuestion, warningsTold } from './server-warnings.ts';
import { ending, isAsWeLeftIt } from './session-setup.ts';
import { type DeadPooledConnection, deadPooledConnection, openLookUps, openSession, type Stage } from './stage.ts';
import { commitsByItself, countersRemain, keptByTables, takeBack, takesValues } from './take-back.ts';

/** @returns `dead_pooled_connection` if nothing was done, so another connection may be tried. */
export async function runStatement(
  request: StatementRequest,
  sink: RowSink,
  stage: Stage,
): Promise<StatementOutcome | DeadPooledConnection> {
  const { lease, watched } = stage;
  const { session } = lease;
  const { session: kind } = request;
  const bound = request.parameters.length === 0 ? null : prepareAndExecute(request.sql, request.parameters);
  if (typeof bound === 'string') return { kind: 'query_failed', message: bound, code: null };

  const xid = newXid();
  const mayCommit = commitsByItself(request.sql);
  const isLookUp = request.isOurs === true && kind === 'read' && bound === null;
  const limits = stage.limit(kind, { sql: request.sql });
  let ready = isLookUp ? await openLookUps(lease, limits) : await openSession(lease, kind, limits, xid, mayCommit);
  const isSetUp = ready === null || ready.kind === 'ok';
  const savepoint = kind === 'write' && mayCommit ? `sallyport_${randomUUID().slice(0, 8)}` : null;
  const before = [...(savepoint === null ? [] : [`SAVEPOINT ${savepoint}`]), ...(bound?.before ?? [])];
  for (const sql of before) if (ready === null || ready.kind === 'ok') ready = await session.ask(sql);
  if (ready !== null && ready.kind !== 'ok') {
    if (ready.kind === 'lost' && lease.reused && watched.reason() === null) return deadPooledConnection;
    if (ready.kind === 'error' && keepsAfterError(kind)) lease.release();
    const failed = failure(request, watched, ready);
    return isSetUp ? failed : atStep('set_up', failed);
  }

  if (kind === 'read' && request.isOurs !== true) {
    const isHeld = await isWallHeld(stage.readWall, session);
    if (typeof isHeld === 'object') return failure(request, watched, isHeld);
    const unproved = stage.readWall.refusal(isHeld);
    if (unproved !== null) return stopped(watched) ?? unproved;
  }

  const ask = askWithin(session, request, watched);
  const refused = (await request.mayRun?.(ask)) ?? null;
  if (refused !== null) {
    if (kind === 'write') lease.release();
    return stopped(watched) ?? refused;
  }
  const count = request.mayCommit === undefined ? null : await startCount(session, request.rowEffects);
  // A statement that can't be counted is not begun unless it may stay all the same: it could end
  // its own transaction, and then a later no would come too late.
  if (count !== null && count.uncounted !== null) {
    const late = stopped(watched);
    if (late !== null) return late;
    if ((await request.mayCommit?.({ tables: [], uncounted: count.uncounted }, ask)) !== true) {
      lease.release();
      return { kind: 'not_committed', remains: [] };
    }
  }
  const preconditions = await providing(session, request.preconditions ?? [], request.sql, bound);
  if (preconditions === null) {
    lease.release();
    return stopped(watched) ?? { kind: 'not_as_provided' };
  }
  const remember = kind === 'alone' ? await watchMade(session, request.makes ?? [], stage.made) : null;
  const sentAt = stage.now();
  const mayStay = kind === 'write' || kind === 'alone';
  const behind = kind === 'read' && !isLookUp && lease.cleansBehind ? warningsBehind(lease) : null;
  const whole = wholeWrite(sink);
  if (request.clock !== undefined) request.clock.mayStay = mayStay;
  const send = () =>
    session.query(preconditions.sql, mayStay ? whole : sink, mayStay ? unlimitedWire(request.limits) : request.limits);
  const reply = mayStay ? await stage.interruptible(send) : await send();
  const { answer } = reply;
  if (answer.kind === 'stopped') {
    stage.breakOff();
    return done(null, answer.why === 'wire', notes(reply));
  }
  if (preconditions.wasSkipped(answer)) {
    lease.release();
    return stopped(watched) ?? { kind: 'not_as_provided' };
  }
  if (kind === 'alone' && answer.kind !== 'ok') return failedAlone(request, watched, answer);
  // With MariaDB's own time limit benchmark() and the like end as if they had succeeded.
  const isLate = watched.reason() !== null || stage.now() - sentAt >= limits.statement.seconds * 1000;
  if (answer.kind !== 'ok' || (isLate && kind !== 'alone')) {
    const failed =
      answer.kind === 'ok'
        ? (stopped(watched) ?? watched.endedBy('statement') ?? { kind: 'timeout' as const, seconds: watched.seconds })
        : failure(request, watched, answer);
    const kept = kind === 'write' ? await takeBack(session, savepoint) : null;
    if (kept !== null) return outcomeUnknown(failed.kind === 'query_failed' ? `${kept} (${failed.message})` : kept);
    if (answer.kind === 'error' && keepsAfterError(kind)) lease.release();
    return failed;
  }

  const warnings = notes(reply);
  if (answer.furtherResults) warnings.push('The statement gave further results, which are left out.');
  const isRead = kind === 'read' || kind === 'rollback';
  // From here on the server decides: a client that leaves now can't undo a commit.
  stage.unstoppable();
  const guard = stage.endsUnanswered();
  try {
    // The warnings are asked for first: any other statement in the session would erase them.
    if (answer.warnings > 0 && !isLookUp)
      warnings.push(
        ...warningsTold(await (behind?.() ?? askWarnings(session)), answer, isRead || request.masks !== undefined),
      );
    const added = answer.affectedRows ?? (givesChangedRows(request.sql) ? whole.given() : 0);
    const isAllowed =
      count === null ||
      (await request.mayCommit?.(
        {
          ...(await count.rowCounts(answer.affectedRows)),
          added: await addedRows(session, request.rowEffects, added, stage.made),
        },
        ask,
      )) === true;
    if (!isAllowed) {
      const kept = await takeBack(session, savepoint);
      if (kept === keptByTables) return { kind: 'outcome_unknown', reason: kept, isKept: true };
      if (kept !== null) return outcomeUnknown(kept);
      lease.release();
      return { kind: 'not_committed', remains: takesValues(request.sql, request.rowEffects) ? [countersRemain] : [] };
    }
    await remember?.();
    if (kind === 'write' && request.clock !== undefined) request.clock.stage = 'commit';
    for (const sql of ending(kind, session, xid)) {
      const end = await session.ask(sql);
      if (end.kind !== 'ok')
        return kind === 'write' ? failedCommit(request, watched, end) : failure(request, watched, end);
      if (end.warnings > 0) warnings.push(...(await endWarnings(session, end)));
    }
  } finally {
    clearTimeout(guard);
  }
  if (isLookUp) lease.keep();
  else if (isAsWeLeftIt(kind, session, answer) && kind !== 'alone') lease.release();
  const affected = answer.affectedRows ?? (givesChangedRows(request.sql) ? whole.given() : null);
  return kind === 'read' ? done(null, false, warnings) : done(affected, false, warnings, answer.insertId);
}

function askWithin(session: Session, request: StatementRequest, watched: Stage['watched']): AskWithin {
  return async sql => {
    const rows: (readonly Cell[])[] = [];
    const row = (given: RowText) => {
      rows.push(cellsOf(given));
      return true;
    };
    const { answer } = await session.query(sql, { columns: () => {}, row });
    return answer.kind === 'ok' ? { kind: 'done', value: rows } : failure(request, watched, answer);
  };
}

/**
 * True if the rows that a statement gave are the changed ones: RETURNING gives rows instead of a
 * count. The rows of a SELECT or CALL may be any.
 */
function givesChangedRows(sql: string): boolean {
  return /^(?:insert|replace|delete)\b/i.test(withoutLead(sql));
}

/**
 * True if the connection is used again after an error. Cleaning it rolls back what is open. Where a
 * rollback was promised, the connection is discarded, which is safest.
 */
function keepsAfterError(kind: SessionKind): boolean {
  return kind === 'read' || kind === 'write';
}

/**
 * Sends the cleaning behind the statement, and before it the question for warnings, which it would
 * erase.
 */
function warningsBehind({ session, cleanBehind }: Lease): () => ReturnType<typeof askWarnings> {
  const { sink, found } = collectWarnings();
  const asked = session.queryBehind(warningsQuestion, sink);
  cleanBehind();
  return async () => {
    await asked;
    return found;
  };
}

interface WholeWrite extends RowSink {
  /** How many rows came, dropped ones included. */
  given(): number;
}

/**
 * The sink of a write, which is not broken off for too many `RETURNING` rows: rows past the limits
 * are read and dropped.
 */
export function wholeWrite(sink: RowSink): WholeWrite {
  let wanted = true;
  let given = 0;
  return {
    columns: columns => sink.columns(columns),
    row: row => {
      given += 1;
      wanted = wanted && sink.row(row);
      return true;
    },
    given: () => given,
  };
}

/** Limits without one for the wire: rows are read cell by cell, so dropped ones cost nothing. */
export function unlimitedWire(limits: StatementLimits): StatementLimits {
  return { ...limits, wireBytes: Number.POSITIVE_INFINITY };
}
