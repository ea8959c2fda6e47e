/**
 * Runs several statements in one XA transaction of MySQL or MariaDB, in which nothing can commit by
 * itself. It is rolled back, unless the caller keeps it, and its end is awaited before the answer.
 */

import type {
  Answer,
  CallContext,
  DatabaseFailure,
  Rehearsal,
  RehearsalContext,
  RehearsalStep,
  RowCounts,
  RowSink,
  StatementOutcome,
} from '../engine.ts';
import { atStep } from '../look-up.ts';
import { startCount } from './count/row-count.ts';
import { notConnected } from './failure.ts';
import type { Destination } from './run/destination.ts';
import { refuseEmpty } from './run/emptiness.ts';
import { addedRows } from './run/made-tables.ts';
import { done, failedCommit, failure, notes, stopped } from './run/outcome.ts';
import { prepareAndExecute } from './run/parameters.ts';
import { newXid } from './run/read-transaction.ts';
import { askWarnings, endWarnings, warningsTold } from './run/server-warnings.ts';
import { ending, endingKept } from './run/session-setup.ts';
import { deadPooledConnection, onConnection, openSession, type Runner, type Stage } from './run/stage.ts';
import { unlimitedWire, wholeWrite } from './run/statement.ts';
import { serverStatus } from './wire/answer-packets.ts';

/**
 * How long a trial and its counts may take: others wait for its locks, and without a privilege
 * MySQL doesn't tell who waits.
 */
const trialMilliseconds = 200;
/**
 * How long its statement may take if triggers may change any number of rows: undoing that takes
 * twice as long, and others wait for that, too.
 */
const triggersMilliseconds = 60;

/** As in the PostgreSQL adapter. Rejects only with what `work` or a sink threw. */
export function rehearse<T>(
  runner: Runner,
  context: RehearsalContext,
  to: Destination,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<Answer<T>> {
  return onConnection<Answer<T>>(runner, context, to, false, async stage => {
    const { lease, watched } = stage;
    const xid = newXid();
    const waits = context.keeps === undefined || context.givesWay === true ? 'rollback' : 'write';
    const ready = await openSession(lease, 'rollback', stage.limit(waits, { givesWay: context.givesWay }), xid);
    if (ready !== null && ready.kind !== 'ok') {
      if (ready.kind === 'lost' && lease.reused && watched.reason() === null) return deadPooledConnection;
      return atStep('set_up', failure({ ...context, session: 'rollback' }, watched, ready));
    }
    let gaveWay = false;
    const giveWay = (): void => {
      gaveWay = true;
      stage.breakOff();
    };
    let holding: NodeJS.Timeout | undefined;
    let roundTrip = 0;
    const giveWayIn = (milliseconds: number): void => {
      clearTimeout(holding);
      if (context.givesWay === true && !gaveWay) holding = setTimeout(giveWay, milliseconds);
    };
    let told = { changes: (): Promise<RowCounts> => Promise.resolve({ tables: [], uncounted: 'nothing was run' }) };
    const value = await work({
      async run(step, sink) {
        const asked = performance.now();
        if (step.ours) {
          const outcome = await runStep(stage, context, step, sink);
          roundTrip = performance.now() - asked;
          return outcome;
        }
        const count = await startCount(lease.session, step.rowEffects);
        const begun = performance.now();
        giveWayIn((step.rowEffects?.tables.length ?? 0) > 1 ? triggersMilliseconds + roundTrip : trialMilliseconds);
        const outcome = await runStep(stage, context, step, sink);
        giveWayIn(trialMilliseconds - (performance.now() - begun));
        if (gaveWay) return { kind: 'cancelled' };
        const affected = outcome.kind === 'done' ? outcome.rowsAffected : null;
        told = {
          changes: async () => ({
            ...(await count.rowCounts(affected)),
            added: await addedRows(lease.session, step.rowEffects, affected ?? 0, stage.made),
          }),
        };
        return outcome;
      },
      async rowCounts() {
        const value = await told.changes();
        return gaveWay ? { kind: 'cancelled' } : { kind: 'done', value };
      },
    }).finally(() => clearTimeout(holding));
    // The work has learnt that its connection was lost; the server undoes what was not committed.
    if (lease.session.dead) {
      const lost = context.keeps === undefined ? null : notConnected('The connection was lost before the commit.');
      return stopped(watched) ?? lost ?? { kind: 'done', value };
    }
    const failed = context.keeps?.() === true ? await keep(stage, context, xid) : await takeBack(stage, context, xid);
    return failed ?? { kind: 'done', value };
  });
}

async function runStep(
  { lease: { session }, watched }: Stage,
  context: CallContext,
  step: RehearsalStep,
  sink: RowSink,
): Promise<StatementOutcome> {
  const request = { ...context, session: 'rollback' } as const;
  const refused = refuseEmpty(step.sql);
  if (refused !== null) return refused;
  const bound = step.parameters.length === 0 ? null : prepareAndExecute(step.sql, step.parameters);
  if (typeof bound === 'string') return { kind: 'query_failed', message: bound, code: null };
  for (const sql of bound?.before ?? []) {
    const answer = await session.ask(sql);
    if (answer.kind !== 'ok') return failure(request, watched, answer);
  }
  const reply = await session.query(bound?.execute ?? step.sql, wholeWrite(sink), unlimitedWire(step.limits));
  const { answer } = reply;
  const late = stopped(watched);
  if (late !== null) return late;
  // Without XA a statement may commit, and the server says only afterwards that it did.
  if (session.lacksXa && answer.kind === 'ok' && (answer.status & serverStatus.inTransaction) === 0)
    return { kind: 'outcome_unknown', reason: 'it ended the transaction that was to take it back' };
  if (answer.kind !== 'ok') return failure(request, watched, answer);
  const isHeard = answer.warnings > 0 && !step.ours;
  const said = isHeard ? warningsTold(await askWarnings(session), answer, context.masks !== undefined) : [];
  return done(answer.affectedRows, false, [...notes(reply), ...said]);
}

/** Commits the transaction. @returns null once that is done. */
async function keep(stage: Stage, context: CallContext, xid: string): Promise<DatabaseFailure | null> {
  const { lease, watched } = stage;
  const { session } = lease;
  stage.unstoppable();
  if (context.clock !== undefined) Object.assign(context.clock, { stage: 'commit', mayStay: true });
  const guard = stage.endsUnanswered();
  try {
    for (const sql of endingKept(session, xid)) {
      const answer = await session.ask(sql);
      if (answer.kind !== 'ok') return failedCommit({ session: 'write' }, watched, answer);
    }
  } finally {
    clearTimeout(guard);
  }
  lease.release();
  return null;
}

/**
 * Rolls the transaction back.
 * @returns null once the server has confirmed it; only then is the connection used again.
 */
async function takeBack(stage: Stage, context: RehearsalContext, xid: string): Promise<DatabaseFailure | null> {
  const { lease, watched } = stage;
  const { session } = lease;
  stage.unstoppable();
  const guard = setTimeout(() => session.destroy(), context.timeoutSeconds * 1000);
  const kept: string[] = [];
  try {
    for (const sql of ending('rollback', session, xid)) {
      const answer = await session.ask(sql);
      if (answer.kind !== 'ok') return failure({ ...context, session: 'rollback' }, watched, answer);
      if (answer.warnings > 0) kept.push(...(await endWarnings(session, answer)));
    }
  } finally {
    clearTimeout(guard);
  }
  lease.release();
  if (kept.length === 0) return null;
  if (context.keeps !== undefined && context.givesWay !== true)
    return { kind: 'outcome_unknown', reason: `the rollback did not take everything back (${kept.join(' ')})` };
  return { kind: 'query_failed', message: `The rollback did not take everything back: ${kept.join(' ')}`, code: null };
}
