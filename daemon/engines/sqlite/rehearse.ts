/**
 * A rehearsal from the daemon's side: one child holds the transaction open and gets its statements
 * one by one.
 */

import type { Masks } from '../../guard/masks.ts';
import type { Sight } from '../../guard/sight.ts';
import type { Defined } from '../../guard/sqlite/defined/facts.ts';
import type { CallClock } from '../call-clock.ts';
import type { Answer, DatabaseFailure, Rehearsal, RowCounts, RowSink, StatementOutcome } from '../engine.ts';
import type { Did, FileIdentity, RunnableRequest } from './child/protocol.ts';
import { type Run, type RunAttempt, run } from './run.ts';
import type { Child } from './session.ts';
import type { Watch } from './watch.ts';

const missing: DatabaseFailure = { kind: 'unsupported', message: 'What the statement did to rows was not counted.' };
const nothing: RowSink = { columns() {}, row: () => true };

/**
 * Time of a trial: SQLite doesn't tell whether somebody waits, and a waiting program looks again
 * after up to 100 ms.
 */
const trialMilliseconds = 150;
/** The same for several steps, which are worth a longer wait to those who wait. */
const stepsMilliseconds = 600;
/** For a trial that nobody asked for. */
const trialLockWaitMilliseconds = 200;

interface Rehearsing {
  readonly child: Child;
  readonly file: FileIdentity;
  readonly watch: Watch;
  readonly release: () => void;
  readonly givesWay: boolean;
  readonly sight: Sight | undefined;
  readonly masks: Masks | undefined;
  /** Null for a rehearsal of one statement, which is never kept. */
  readonly keeps: (() => boolean) | null;
  /** Told of each definition of a step, once it is committed. */
  readonly remember: (defined: Defined) => void;
  readonly clock: CallClock | undefined;
  /** Of the call. */
  readonly lockWaitMilliseconds: number;
  readonly counted: (did: Did) => RowCounts;
  /** Null for a definition that only added. */
  readonly refusal: (defined: Defined | null) => DatabaseFailure | null;
}

/** Rejects with what `work` threw. */
export async function rehearse<T>(
  {
    child,
    file,
    watch,
    release,
    givesWay,
    sight,
    masks,
    keeps,
    remember,
    clock,
    counted,
    refusal,
    ...limits
  }: Rehearsing,
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<RunAttempt<Answer<T>>> {
  let alive = true;
  let did: Did | null = null;
  const defined: Defined[] = [];
  const send = (request: RunnableRequest, sink: RowSink): Promise<Run> =>
    run(
      child,
      request,
      sink,
      watch,
      reusable => {
        alive = reusable;
      },
      told => {
        did = told;
        return false;
      },
      clock,
    );

  const lockWaitMilliseconds = givesWay ? trialLockWaitMilliseconds : limits.lockWaitMilliseconds;
  const begun = await send({ kind: 'rehearse', session: 'rollback', file, lockWaitMilliseconds }, nothing);
  if (begun.outcome.kind !== 'done') {
    if (alive) release();
    return { outcome: begun.outcome, again: begun.again };
  }

  let gone: DatabaseFailure | null = null;
  let isOver = false;
  const giveWay = (): void => {
    isOver = true;
    child.kill();
  };
  const most = keeps === null ? trialMilliseconds : stepsMilliseconds;
  const holding = givesWay ? setTimeout(giveWay, most) : undefined;
  try {
    const value = await work({
      async run(step, sink): Promise<StatementOutcome> {
        if (gone !== null) return gone;
        const { outcome } = await send(
          {
            kind: 'step',
            session: 'rollback',
            ...step,
            ...(sight !== undefined && { sight }),
            ...(masks !== undefined && { masks }),
          },
          sink,
        );
        if (!alive && outcome.kind !== 'done') gone = isOver ? { kind: 'cancelled' } : outcome;
        if (gone !== null || outcome.kind !== 'done') return gone ?? outcome;
        if (!step.ours && did?.defined != null) defined.push(did.defined);
        return step.defines === undefined ? outcome : (refusal(did?.defined ?? null) ?? outcome);
      },
      async rowCounts() {
        return did === null ? missing : { kind: 'done', value: counted(did) };
      },
    });
    clearTimeout(holding);
    // The work knows already. What a dead child left open is no part of the file.
    if (!alive) return { outcome: gone === null ? watch.failure() : { kind: 'done', value }, again: null };
    const session = keeps?.() === true ? 'write' : 'rollback';
    const { outcome } = await send({ kind: 'end', session }, nothing);
    if (outcome.kind !== 'done') return { outcome: isOver ? { kind: 'cancelled' } : outcome, again: null };
    if (session === 'write') for (const each of defined) remember(each);
    if (alive) release();
    return { outcome: { kind: 'done', value }, again: null };
  } catch (error) {
    child.kill();
    throw error;
  } finally {
    clearTimeout(holding);
  }
}
