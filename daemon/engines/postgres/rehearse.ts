/**
 * Runs several statements in one transaction of PostgreSQL. It is rolled back, unless the caller
 * keeps it, and its end is awaited before the answer.
 */

import { untold } from '../../guard/tried-reason.ts';
import { withServerSeconds } from '../call-clock.ts';
import type {
  Answer,
  CallContext,
  DatabaseFailure,
  Deferred,
  Rehearsal,
  RehearsalContext,
  RehearsalStep,
  RowSink,
  StatementOutcome,
} from '../engine.ts';
import { maxWireBytes } from '../engine.ts';
import { type LockQuestion, tellingLock } from '../lock-holder.ts';
import { atStep } from '../look-up.ts';
import type { Made } from '../made.ts';
import { isFull } from '../session-room.ts';
import { type CountedBefore, countAnew, lookAtChanges, openCounting, rowsOfTag, unasked } from './count/row-count.ts';
import { addressOf } from './dial.ts';
import { connectionLost } from './failure.ts';
import { ask } from './look-up.ts';
import { isSession, type Pool } from './pool.ts';
import { abandon, abandonSent, isAnothers, isReady, stale } from './run/attempt.ts';
import { type Defined, lookAfter, lookBefore, remember } from './run/definition.ts';
import { done, emptyStatement, failed } from './run/outcome.ts';
import { ResultReader } from './run/result.ts';
import { askMark, traceOf } from './run/server-mark.ts';
import { behindOurs, giveBack, openingStatements, takeBack, tidyUp } from './run/session-setup.ts';
import { limitsFor, lowerLimits } from './run/time-limits.ts';
import { commit } from './run/write.ts';
import { checkAfterIdle, refuse } from './run.ts';
import type { Session } from './session.ts';
import { type Watch, watchStatement } from './watch.ts';
import type { TypeNames } from './wire/type-names.ts';

/** How often to look whether somebody waits for a trial. */
const trialLookMilliseconds = 50;
/** How long a trial may keep others waiting if nobody can see whether it does. */
const unseenMilliseconds = 200;

interface Stage {
  readonly pool: Pool;
  readonly names: TypeNames;
  readonly context: RehearsalContext;
  readonly watch: Watch;
  readonly lock: LockQuestion;
  readonly session: Session;
  /** The counters as the transaction began. */
  readonly opened: CountedBefore;
  /** The counters before the statement that is counted next. */
  before: CountedBefore;
  /** A command tag with the rows that, by the server's count, what is counted next has changed. */
  tag: string;
  /** The transaction's number, once it has one. */
  transaction: string | null;
  /** What its definitions made, to be remembered once it is committed. */
  readonly defined: Defined[];
}

/** The steps of several that may be kept see what is there by then, as writes do. */
const kindOf = ({ keeps }: RehearsalContext) => (keeps === undefined ? 'rollback' : 'write');

/**
 * Runs `work` in a transaction, and ends that.
 * @returns what `work` resolved with, or why the transaction could not begin or end. Rejects only
 *   with what `work` or a sink threw.
 */
export async function rehearse<T>(
  pool: Pool,
  names: TypeNames,
  asked: RehearsalContext,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<Answer<T>> {
  const ended = new AbortController();
  const givesWay = new AbortController();
  const context = { ...asked, signal: AbortSignal.any([asked.signal, givesWay.signal]) };
  const watch = watchStatement(context, pool.ports.now);
  let lock: LockQuestion | null = null;
  try {
    const begun = await begin(pool, context, watch);
    if ('kind' in begun) return begun;
    if (asked.givesWay === true && begun.session.own !== null) {
      const look = { ...asked, timeoutSeconds: 1, signal: ended.signal };
      void onceSomebodyWaits(pool, look, begun.session.own.process).then(waits => waits && givesWay.abort());
    }
    lock = pool.askingForLock(begun.session, lowerLimits(limitsFor(kindOf(asked), asked), begun.session.limits));
    const { session, before } = begun;
    const counting = { opened: before, before, tag: 'UPDATE 0', transaction: null, defined: [] };
    return await within({ pool, names, context, watch, lock, session, ...counting }, work);
  } finally {
    watch.end();
    lock?.end();
    ended.abort();
  }
}

const somebodyWaits = `SELECT CAST(EXISTS (SELECT FROM pg_locks AS l
WHERE NOT l.granted AND CAST($1 AS int4) = ANY (pg_blocking_pids(l.pid))) AS text)`;

/**
 * Looks again and again whether another session waits for the process.
 * @returns true once one does; false once `context` is aborted, or if the server doesn't tell.
 */
async function onceSomebodyWaits(pool: Pool, context: CallContext, process: number): Promise<boolean> {
  while (!context.signal.aborted) {
    const answer = await ask(pool, context, somebodyWaits, [process], true);
    // There is no session to look with, so after a moment it counts as if somebody waited.
    if (isFull(answer)) await new Promise(resolve => setTimeout(resolve, unseenMilliseconds));
    if (isFull(answer)) return !context.signal.aborted;
    if (answer.kind !== 'done') return false;
    if (answer.value[0] === 'true') return true;
    await new Promise(resolve => setTimeout(resolve, trialLookMilliseconds));
  }
  return false;
}

/**
 * Begins the transaction. It sends nothing but settings, so a pooled session that turns out to be
 * dead is replaced by a new one.
 */
async function begin(
  pool: Pool,
  context: RehearsalContext,
  watch: Watch,
): Promise<Pick<Stage, 'session' | 'before'> | DatabaseFailure> {
  const kind = kindOf(context);
  for (const fresh of [false, true]) {
    const session = await pool.acquire(context, fresh ? 'fresh' : 'any');
    if (!isSession(session)) return session;
    if (context.clock !== undefined) context.clock.stage = 'statement';
    const fixed = withServerSeconds(context);
    watch.limit(limitsFor(kind, fixed), session.limits);
    const check = checkAfterIdle(session, pool.ports.now());
    const isTraced = context.committing !== undefined;
    const unmarked = isTraced ? await Promise.race([askMark(session), watch.stopped]) : null;
    if (unmarked !== null) {
      clearTimeout(check);
      const gone = abandon({ pool, session }, unmarked, 'not_sent');
      if (gone !== stale) return gone;
      continue;
    }
    const opening = openingStatements(kind, fixed, session);
    const counted = await Promise.race([openCounting(session, opening), watch.stopped]);
    const opened = 'end' in counted ? counted.end : counted;
    clearTimeout(check);
    if (isAnothers(opened, opening.length)) {
      pool.notOwn(session);
      continue;
    }
    if (isReady(opened)) {
      if (opened.error === null) return { session, before: 'end' in counted ? counted.before : unasked };
      tidyUp(pool, session, opened, undefined);
      return atStep('set_up', failed(opened.error, context, watch));
    }
    const gone = abandon({ pool, session }, opened, 'not_sent');
    if (gone !== stale) return gone;
  }
  return connectionLost(addressOf(pool.endpoint), 'it was closed twice');
}

async function within<T>(stage: Stage, work: (rehearsal: Rehearsal) => Promise<T>): Promise<Answer<T>> {
  const { pool, session } = stage;
  let gone: DatabaseFailure | null = null;
  let ended = false;
  let isKept = false;
  const run = async (step: RehearsalStep, sink: RowSink): Promise<StatementOutcome> => {
    if (gone !== null) return gone;
    const ran = await runStep(stage, step, sink);
    if (ran.isGone && ran.outcome.kind !== 'done') gone = ran.outcome;
    return tellingLock(ran.outcome, stage.lock);
  };
  const rowCounts = async (deferred?: Deferred): ReturnType<NonNullable<Rehearsal['rowCounts']>> => {
    if (gone !== null) return gone;
    const counting = lookAtChanges(session, stage.before, stage.tag, pool.made, undefined, deferred);
    const looked = await Promise.race([counting, stage.watch.stopped]);
    if (looked.kind === 'fails') return failed(looked.error, stage.context, stage.watch);
    // What could be foreseen from the plan was refused before. What a trigger or function wrote to
    // shows only now.
    if (looked.kind === 'counted' && looked.foreign !== null)
      return { kind: 'unsupported', message: foreignChanged(looked.foreign, looked.remains) };
    if (looked.kind === 'counted') stage.transaction = looked.transaction ?? null;
    if (looked.kind === 'counted') return { kind: 'done', value: { ...looked.rowCounts, remains: looked.remains } };
    gone = abandonSent({ pool, session }, looked.kind === 'lost' ? looked.end : looked, 'taken_back');
    return gone;
  };
  try {
    const value = await work({ run, rowCounts });
    ended = true;
    // The work has learnt that its session was lost; the server undoes what that did.
    if (gone !== null) return { kind: 'done', value };
    if (stage.context.keeps?.() === true) {
      isKept = true;
      const failure = await keep(stage);
      return failure ?? { kind: 'done', value };
    }
    const failure = await takeBack(session);
    return failure ?? { kind: 'done', value };
  } finally {
    if (!ended) session.destroy();
    else if (gone === null && !isKept && !session.ended) pool.returning(giveBack(pool, session));
  }
}

/** Commits the transaction. @returns null once that is done. */
async function keep({
  pool,
  names,
  context,
  watch,
  session,
  transaction,
  defined,
}: Stage): Promise<DatabaseFailure | null> {
  const limits = { cellBytes: 256, wireBytes: maxWireBytes };
  const request = { ...context, sql: '', parameters: [], session: 'write', limits, clock: undefined } as const;
  const reader = new ResultReader(session, { columns() {}, row: () => true }, limits, names);
  const trace = traceOf(session, transaction);
  if (trace !== null) context.committing?.(trace);
  const outcome = await commit({ pool, session, request, clock: context.clock, reader, watch }, definitionsTag);
  if (outcome.kind !== 'done') return outcome;
  for (const each of defined) remember(pool.made, each);
  return null;
}

/** A tag for statements that may leave more in a session than the end of a transaction undoes. */
const definitionsTag = 'SALLYPORT';

function foreignChanged(table: string, remains: readonly string[]): string {
  const why = 'through code behind the statement, and what another server does with a change is not previewed';
  return [`It changes the foreign table ${table}, ${why}; it was rolled back.`, ...remains].join(' ');
}

/** What this daemon made, and what earlier steps of this transaction made. */
function knownIn({ pool, defined }: Stage): Pick<Made, 'has' | 'hasNamed'> {
  const made = new Set(defined.flatMap(each => each.made.map(({ oid }) => `${oid}`)));
  return {
    has: (mark, name) => made.has(mark) || pool.made.has(mark, name),
    hasNamed: mark => made.has(mark) || pool.made.hasNamed(mark),
  };
}

/** The tag of what is counted next: the last step if each is counted by itself, else all so far. */
function tagOf({ context, tag: earlier }: Stage, tag: string): string {
  return context.keeps === undefined ? `UPDATE ${(rowsOfTag(earlier) ?? 0) + (rowsOfTag(tag) ?? 0)}` : tag;
}

interface Ran {
  readonly outcome: StatementOutcome;
  /** True if the session is gone. */
  readonly isGone: boolean;
}

async function runStep(stage: Stage, step: RehearsalStep, sink: RowSink): Promise<Ran> {
  const { pool, session, names, context, watch } = stage;
  const request = { ...context, ...step, session: 'rollback' } as const;
  const refused = refuse(request);
  if (refused !== null) return { outcome: refused, isGone: false };
  const reader = new ResultReader(session, sink, step.limits, names);
  const lost = (end: Parameters<typeof abandonSent>[1]): Ran => ({
    outcome: abandonSent({ pool, session }, end, 'taken_back'),
    isGone: true,
  });
  try {
    if (context.keeps !== undefined && !step.ours) {
      const counted = await Promise.race([countAnew(session, stage.opened), watch.stopped]);
      if ('kind' in counted) {
        if (counted.kind !== 'ready') return lost(counted);
        return {
          outcome: counted.error === null ? emptyStatement : failed(counted.error, request, watch),
          isGone: false,
        };
      }
      stage.before = counted;
    }
    const looked =
      step.defines === undefined ? null : await Promise.race([lookBefore(session, step.defines), watch.stopped]);
    if (looked?.kind === 'fails') return { outcome: failed(looked.error, request, watch), isGone: false };
    if (looked !== null && looked.kind !== 'told' && looked.kind !== 'untold')
      return lost(looked.kind === 'lost' ? looked.end : looked);
    const statement = { sql: step.sql, parameters: step.parameters };
    const behind = step.ours ? behindOurs(step.sql, session) : [];
    const roundTrip = session.roundTrip([statement, ...behind], reader.told(0));
    const end = await Promise.race([roundTrip, watch.stopped]);
    if (reader.thrown !== null) throw reader.thrown.error;
    if (!isReady(end)) return lost(end);
    if (end.error !== null) return { outcome: failed(end.error, request, watch), isGone: false };
    const tag = end.tags[0];
    if (tag === undefined) return { outcome: emptyStatement, isGone: false };
    if (!step.ours || context.keeps === undefined) stage.tag = tagOf(stage, tag);
    if (end.status === 'T' && looked?.kind === 'told') {
      const defined = await Promise.race([lookAfter(session, looked.before, knownIn(stage)), watch.stopped]);
      if (defined.kind === 'fails') return { outcome: failed(defined.error, request, watch), isGone: false };
      if (defined.kind !== 'defined') return lost(defined.kind === 'lost' ? defined.end : defined);
      stage.defined.push(defined);
      if (defined.reasons.length > 0)
        return { outcome: { kind: 'not_committed', remains: [], reasons: defined.reasons }, isGone: false };
    }
    if (looked?.kind === 'untold')
      return { outcome: { kind: 'not_committed', remains: [], reasons: [untold] }, isGone: false };
    if (end.status === 'T') return { outcome: done(reader, tag), isGone: false };
    session.destroy();
    const message = 'The statement ended the transaction that it ran in.';
    return { outcome: { kind: 'query_failed', message, code: null }, isGone: true };
  } finally {
    reader.stop();
  }
}
