/**
 * Runs a statement that may write: set up, run, then committed, rolled back or, if `alone`, left to
 * itself.
 */

import type { AskWithin, DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { flightWithTexts, lookAtChanges } from '../count/changed-rows.ts';
import { countedBefore } from '../count/changed-rows-sql.ts';
import { outcomeUnknown } from '../failure.ts';
import { type Attempt, abandon, isAnothers, isReady, stale } from './attempt.ts';
import { done, emptyStatement, failed, failedAlone } from './outcome.ts';
import { giveBack, mayBeKept, openingStatements, takeBack, tidyUp } from './session.ts';

/**
 * COMMIT waits for disks, replicas and deferred constraints, however short the call's own timeout
 * is.
 */
const leastCommitMilliseconds = 4_000;

/** Settings first and alone, so a dead link shows before anything is sent that could write. */
export async function runWrite(attempt: Attempt): Promise<StatementOutcome | typeof stale> {
  const { pool, link, request, reader, watch } = attempt;
  const opening = openingStatements(request.session, request, link);
  const isCounted = request.mayCommit !== undefined;
  const counting = flightWithTexts(link, isCounted ? [...opening, countedBefore] : opening, opening.length);
  const begun = await Promise.race([counting, watch.stopped]);
  const opened = 'end' in begun ? begun.end : begun;
  if (!isReady(opened)) return abandon(attempt, opened, 'not_sent');
  if (isAnothers(opened, opening.length)) {
    pool.notOwn(link);
    return stale;
  }
  if (opened.error !== null) {
    tidyUp(pool, link, opened, undefined);
    return failed(opened.error, request, watch);
  }
  const within = askingWithin(attempt);
  const refusedBefore = (await request.mayRun?.(within.ask)) ?? null;
  if (refusedBefore !== null) return (await takenBack(attempt, within, false)) ?? refusedBefore;
  const statement = { sql: request.sql, parameters: request.parameters };
  const flight = link.flight([statement], reader.told(0));
  // A sink that has enough doesn't stop a write: further rows are dropped, the effect stays.
  const end = await Promise.race([flight, watch.stopped]);
  if (!isReady(end)) return abandon(attempt, end, request.session === 'alone' ? 'may_stay' : 'taken_back');
  const tag = end.tags[0];
  if (request.session === 'alone') {
    link.close();
    if (end.error !== null) return failedAlone(end.error, request, watch);
    return tag === undefined ? emptyStatement : done(reader, tag);
  }
  if (end.error === null && tag === undefined) {
    tidyUp(pool, link, end, tag);
    return emptyStatement;
  }
  if (end.error !== null || request.session === 'rollback' || request.signal.aborted || reader.thrown !== null) {
    tidyUp(pool, link, end, tag);
    if (end.error !== null) return failed(end.error, request, watch);
    return request.signal.aborted ? { kind: 'cancelled' } : done(reader, tag);
  }
  if (end.status !== 'T') {
    link.destroy();
    return outcomeUnknown('it ended the transaction that it ran in');
  }
  const before = 'end' in begun ? begun.texts[0] : undefined;
  const refusal = isCounted ? await refuseRows(attempt, before ?? '', tag ?? '', mayBeKept(end, tag)) : null;
  return refusal ?? commit(attempt, tag);
}

/** @returns null if the changed rows may stay. */
async function refuseRows(
  attempt: Attempt,
  before: string,
  tag: string,
  isKept: boolean,
): Promise<StatementOutcome | null> {
  const { link, request, reader, watch } = attempt;
  const hear = (message: Buffer) => reader.notice(message);
  const looked = await Promise.race([lookAtChanges(link, before, tag, hear), watch.stopped]);
  if (looked.kind === 'fails') {
    link.close();
    return failed(looked.error, request, watch);
  }
  if (looked.kind !== 'counted') {
    const gone = abandon(attempt, looked.kind === 'lost' ? looked.end : looked, 'taken_back');
    if (gone === stale) throw new Error('a statement that was sent is never stale');
    return gone;
  }
  const { changes, remains } = looked;
  const within = askingWithin(attempt);
  if ((await request.mayCommit?.(changes, within.ask)) === true && !request.signal.aborted) return within.gone();
  return (await takenBack(attempt, within, isKept)) ?? { kind: 'not_committed', remains };
}

/** @returns null once all is rolled back and the caller is still there. */
async function takenBack(
  { pool, link, request }: Attempt,
  within: Within,
  isKept: boolean,
): Promise<DatabaseFailure | null> {
  if (within.gone() !== null) return within.gone();
  const failure = await takeBack(link);
  if (failure !== null) return failure;
  if (isKept) pool.returning(giveBack(pool, link));
  else link.close();
  return request.signal.aborted ? { kind: 'cancelled' } : null;
}

interface Within {
  /** A question that fails leaves the transaction failed, unless the asker has set a savepoint. */
  readonly ask: AskWithin;
  /** Why the session was given up; null while it lives. */
  gone(): DatabaseFailure | null;
}

function askingWithin(attempt: Attempt): Within {
  const { link, request, watch } = attempt;
  let gone: DatabaseFailure | null = null;
  const ask: AskWithin = async (sql, parameters = []) => {
    if (gone !== null) return gone;
    const asked = await Promise.race([flightWithTexts(link, [{ sql, parameters }], 0), watch.stopped]);
    const end = 'end' in asked ? asked.end : asked;
    if (isReady(end))
      return end.error === null
        ? { kind: 'done', value: 'texts' in asked ? asked.texts.map(text => [text]) : [] }
        : failed(end.error, request, watch);
    const failure = abandon(attempt, end, 'taken_back');
    if (failure === stale) throw new Error('a question within a transaction is never stale');
    gone = failure;
    return failure;
  };
  return { ask, gone: () => gone };
}

/**
 * It gets as long again as the call, and some seconds at least: a shorter time would only leave
 * more outcomes unknown.
 */
async function commit(
  { pool, link, request, reader, watch }: Attempt,
  tag: string | undefined,
): Promise<StatementOutcome> {
  const most = Math.max(request.timeoutSeconds * 1_000, leastCommitMilliseconds);
  const timer = setTimeout(() => link.broken('no answer'), most);
  // Deferred triggers run in it.
  const end = await link.flight([{ sql: 'COMMIT', parameters: [] }], { ...reader.told(0), columns() {} });
  clearTimeout(timer);
  if (end.kind !== 'ready') {
    link.destroy();
    const reason = end.kind === 'lost' ? end.reason : 'it answered with COPY';
    return outcomeUnknown(`the connection was lost while the server was committing (${reason})`);
  }
  const kept = end.error === null && tag !== undefined && mayBeKept({ ...end, status: 'T' }, tag);
  if (kept && end.status === 'I') pool.returning(giveBack(pool, link));
  else link.close();
  if (end.error !== null) return failed(end.error, request, watch);
  if (end.tags[0] !== 'COMMIT') {
    return {
      kind: 'query_failed',
      message: 'The server rolled the transaction back when it was to commit.',
      code: null,
    };
  }
  return done(reader, tag);
}
