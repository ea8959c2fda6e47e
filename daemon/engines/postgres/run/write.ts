/**
 * Runs a statement that may write on PostgreSQL. It is committed or rolled back; one that runs
 * `alone` has no transaction.
 */

import type { DefinedBefore } from '../../../guard/postgres/defined/facts.ts';
import { untold } from '../../../guard/tried-reason.ts';
import type { AskWithin, DatabaseFailure, StatementOutcome } from '../../engine.ts';
import { stoppedBy } from '../../in-time.ts';
import { atStep } from '../../look-up.ts';
import { type CountedBefore, lookAtChanges, openCounting, roundTripWithTexts, unasked } from '../count/row-count.ts';
import { lacksWhatIsAsked, outcomeUnknown, type ServerError } from '../failure.ts';
import { limits } from '../wire/bounds.ts';
import type { Statement } from '../wire/round-trip.ts';
import { type Attempt, abandon, abandonSent, isAnothers, isReady, stale } from './attempt.ts';
import { cancel } from './cancel.ts';
import { type Defined, lookAfter, lookBefore, remember } from './definition.ts';
import { done, emptyStatement, failed, failedAlone } from './outcome.ts';
import { askMark, traceOf } from './server-mark.ts';
import {
  commitAnyway,
  endOfWrite,
  giveBack,
  mayBeKept,
  openingStatements,
  takeBack,
  tidyUp,
  unfitBehindPooler,
} from './session-setup.ts';

/**
 * The time for COMMIT if the statement took the whole time of its call, which was answered then
 * (in-time.ts).
 */
const leastCommitMilliseconds = 250;

/**
 * Runs one attempt. The settings are sent first and alone, so a dead session shows before anything
 * is sent that could write.
 * @returns `stale` if the session was dead or another's: nothing ran, and another may be tried.
 */
export async function runWrite(attempt: Attempt): Promise<StatementOutcome | typeof stale> {
  const { pool, session, request, clock, reader, watch } = attempt;
  const isTraced = request.committing !== undefined && request.session === 'write';
  const unmarked = isTraced ? await Promise.race([askMark(session), watch.stopped]) : null;
  if (unmarked !== null) return abandon(attempt, unmarked, 'not_sent');
  const unfit = unfitBehindPooler(request, session);
  if (unfit !== null) {
    session.close();
    return { kind: 'unsupported', message: unfit };
  }
  const opening = openingStatements(request.session, request, session);
  const isCounted = request.mayCommit !== undefined;
  const beginning = isCounted
    ? openCounting(session, opening)
    : session.roundTrip(opening).then(end => ({ end, before: unasked }));
  const begun = await Promise.race([beginning, watch.stopped]);
  const opened = 'end' in begun ? begun.end : begun;
  if (!isReady(opened)) return abandon(attempt, opened, 'not_sent');
  if (isAnothers(opened, opening.length)) {
    pool.notOwn(session);
    return stale;
  }
  if (opened.error !== null) {
    tidyUp(pool, session, opened, undefined);
    return atStep('set_up', failed(opened.error, request, watch));
  }
  const within = askingWithin(attempt);
  const refusedBefore = (await request.mayRun?.(within.ask)) ?? null;
  if (refusedBefore !== null) return (await rollBack(attempt, within, false)) ?? refusedBefore;
  const definition = await beforeDefinition(attempt);
  if (definition !== null && 'kind' in definition) return definition;
  const statement = { sql: request.sql, parameters: request.parameters };
  if (request.session === 'alone' && clock !== undefined) clock.mayStay = true;
  const roundTrip = session.roundTrip([statement], reader.told(0));
  // A sink that has enough doesn't stop a write: further rows are dropped, the effect stays.
  const end = await Promise.race([roundTrip, watch.stopped]);
  if (!isReady(end)) return abandon(attempt, end, request.session === 'alone' ? 'may_stay' : 'taken_back');
  const tag = end.tags[0];
  if (request.session === 'alone') {
    session.close();
    if (end.error !== null) return failedAlone(end.error, request);
    return tag === undefined ? emptyStatement : done(reader, tag);
  }
  if (end.error === null && tag === undefined) {
    tidyUp(pool, session, end, tag);
    return emptyStatement;
  }
  if (end.error !== null || request.session === 'rollback' || request.signal.aborted || reader.thrown !== null) {
    tidyUp(pool, session, end, tag);
    if (end.error !== null) return failed(end.error, request, watch);
    return request.signal.aborted ? stoppedBy(request) : done(reader, tag);
  }
  if (end.status !== 'T') {
    session.destroy();
    return outcomeUnknown('it ended the transaction that it ran in');
  }
  const before = 'end' in begun ? begun.before : unasked;
  const counted = isCounted ? await countRows(attempt, before, tag ?? '', mayBeKept(end, tag)) : null;
  if (counted !== null && 'kind' in counted) return counted;
  // This comes behind deferred triggers, which ran for the count.
  const defined = definition === null ? null : await afterDefinition(attempt, definition);
  if (defined !== null && defined.kind !== 'defined') return defined;
  // A call that was stopped is told that nothing stays.
  if (request.signal.aborted) return (await rollBack(attempt, null, mayBeKept(end, tag))) ?? stoppedBy(request);
  const trace = isTraced ? traceOf(session, counted?.transaction ?? null) : null;
  if (trace !== null) request.committing?.(trace);
  const outcome = await commit(attempt, tag);
  if (outcome.kind === 'done' && defined !== null) remember(pool.made, defined);
  return outcome;
}

/**
 * Looks at the catalogs before a definition.
 * @returns null for what is no definition, and for one that nobody can judge and that may stay.
 */
async function beforeDefinition(attempt: Attempt): Promise<DefinedBefore | StatementOutcome | null> {
  const { session, request, watch } = attempt;
  const { definition } = request;
  if (definition === undefined || request.session !== 'write') return null;
  const looked = await Promise.race([lookBefore(session, definition.names), watch.stopped]);
  if (looked.kind === 'told') return looked.before;
  if (looked.kind === 'fails') return failedWithin(attempt, looked.error);
  if (looked.kind === 'untold') {
    if (definition.mayStay([untold])) return null;
    return (await rollBack(attempt, null, false)) ?? { kind: 'not_committed', remains: [], reasons: [untold] };
  }
  return abandonSent(attempt, looked.kind === 'lost' ? looked.end : looked, 'taken_back');
}

/** Looks at what the definition did, and asks whether it may stay. */
async function afterDefinition(attempt: Attempt, before: DefinedBefore): Promise<Defined | StatementOutcome> {
  const { pool, session, request, watch } = attempt;
  const looked = await Promise.race([lookAfter(session, before, pool.made), watch.stopped]);
  if (looked.kind === 'lost') return abandonSent(attempt, looked.end, 'taken_back');
  if (looked.kind === 'fails') return failedWithin(attempt, looked.error);
  if (looked.kind !== 'defined') return abandonSent(attempt, looked, 'taken_back');
  if (looked.reasons.length === 0 || request.definition?.mayStay(looked.reasons) === true) return looked;
  return (await rollBack(attempt, null, false)) ?? { kind: 'not_committed', remains: [], reasons: looked.reasons };
}

function failedWithin({ session, request, watch }: Attempt, error: ServerError): DatabaseFailure {
  session.close();
  return failed(error, request, watch);
}

/** Counts the changed rows. @returns the transaction's number if they may stay. */
async function countRows(
  attempt: Attempt,
  before: CountedBefore,
  tag: string,
  isKept: boolean,
): Promise<StatementOutcome | { readonly transaction: string | null }> {
  const { session, request, reader, watch } = attempt;
  const hear = (message: Buffer) => reader.notice(message);
  const looked = await Promise.race([lookAtChanges(session, before, tag, attempt.pool.made, hear), watch.stopped]);
  if (looked.kind === 'fails') return failedWithin(attempt, looked.error);
  if (looked.kind !== 'counted')
    return abandonSent(attempt, looked.kind === 'lost' ? looked.end : looked, 'taken_back');
  const { rowCounts, remains, transaction = null } = looked;
  const within = askingWithin(attempt);
  if ((await request.mayCommit?.(rowCounts, within.ask)) === true && !request.signal.aborted)
    return within.gone() ?? { transaction };
  return (await rollBack(attempt, within, isKept)) ?? { kind: 'not_committed', remains };
}

/**
 * Rolls the transaction back.
 * @param isKept true if the session can be used again.
 * @returns null if that was done and the caller is still there.
 */
async function rollBack(
  { pool, session, request }: Attempt,
  within: Within | null,
  isKept: boolean,
): Promise<DatabaseFailure | null> {
  const gone = within?.gone() ?? null;
  if (gone !== null) return gone;
  const failure = await takeBack(session);
  if (failure !== null) return failure;
  if (isKept) pool.returning(giveBack(pool, session));
  else session.close();
  return request.signal.aborted ? stoppedBy(request) : null;
}

/** Questions of ours in the statement's transaction. */
interface Within {
  /** A question that fails leaves the transaction failed, unless the asker has set a savepoint. */
  readonly ask: AskWithin;
  /** Why the session was given up; null while it lives. */
  gone(): DatabaseFailure | null;
}

function askingWithin(attempt: Attempt): Within {
  const { session, request, watch } = attempt;
  let gone: DatabaseFailure | null = null;
  const ask: AskWithin = async (sql, parameters = []) => {
    if (gone !== null) return gone;
    const asked = await Promise.race([roundTripWithTexts(session, [{ sql, parameters }], 0), watch.stopped]);
    const end = 'end' in asked ? asked.end : asked;
    if (isReady(end))
      return end.error === null
        ? { kind: 'done', value: 'texts' in asked ? asked.texts.map(text => [text]) : [] }
        : failed(end.error, request, watch);
    gone = abandonSent(attempt, end, 'taken_back');
    return gone;
  };
  return { ask, gone: () => gone };
}

/** Commits. Call it once nothing more is to be asked within the transaction. */
export async function commit(
  { pool, session, request, clock, reader, watch }: Attempt,
  tag: string | undefined,
): Promise<StatementOutcome> {
  const most = Math.max(Math.ceil(watch.leftMilliseconds()), leastCommitMilliseconds);
  if (clock !== undefined) Object.assign(clock, { stage: 'commit', mayStay: true });
  // The server's own limit doesn't hold for COMMIT, so it is cancelled from here. A COMMIT that was
  // cancelled still says how it ended.
  let isCancelled = false;
  const late = setTimeout(() => {
    isCancelled = true;
    pool.background(cancel(session));
  }, most);
  // The call itself is answered before this, in words that say that its end is open (in-time.ts).
  const silentMilliseconds = Math.max(most, clock?.left() ?? 0) + limits.guardMilliseconds;
  const silent = setTimeout(() => session.broken('no answer'), silentMilliseconds);
  // Deferred triggers run at COMMIT, so its notices are heard, too.
  const send = (statements: readonly Statement[]) =>
    session.roundTrip(statements, { ...reader.told(statements.length - 1), columns() {} });
  const ending = endOfWrite(tag, session);
  let end = await send(ending);
  const refusal = isReady(end) && end.tags.length < ending.length - 1 ? end.error : null;
  if (refusal !== null && lacksWhatIsAsked(refusal)) end = await send(commitAnyway);
  clearTimeout(late);
  clearTimeout(silent);
  if (end.kind !== 'ready') {
    session.destroy();
    const reason = end.kind === 'lost' ? end.reason : 'it answered with COPY';
    return outcomeUnknown(`the connection was lost while the server was committing (${reason})`);
  }
  const kept = end.error === null && tag !== undefined && mayBeKept({ ...end, status: 'T' }, tag);
  // A cancel that is under way would hit the next statement.
  if (kept && end.status === 'I' && !isCancelled) pool.returning(giveBack(pool, session));
  else session.close();
  if (end.error !== null) return failed(end.error, request, watch);
  if (end.tags.at(-1) !== 'COMMIT') {
    return {
      kind: 'query_failed',
      message: 'The server rolled the transaction back when it was to commit.',
      code: null,
    };
  }
  return done(reader, tag);
}
