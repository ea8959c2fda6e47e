/**
 * Runs several statements of a client one after another in one transaction, and counts after each
 * what it takes (spec §12): a count at the end would lie, as TRUNCATE sets the counters back.
 */

import { english } from '../../guard/reason.ts';
import { answering, valueOrThrow } from '../answering.ts';
import {
  type Answer,
  type CallContext,
  type Database,
  type DatabaseFailure,
  maxWireBytes,
  type Rehearsal,
} from '../engine.ts';
import { type CountRequest, namedIn, notCommitted, type StepCounting, withFound } from './count-request.ts';
import { codeIsCalled, notCounted, type Taken, takenByChanges, takesNothing } from './taken.ts';
import { toldInstead } from './trial.ts';

export interface RanStep {
  readonly taken: Taken;
  readonly rowsAffected: number | null;
  readonly warnings: readonly string[];
}

/** @param fails the place of the step that fails as things are now, and why; null if none does. */
export interface TriedSteps {
  readonly taken: readonly Taken[];
  readonly fails: { readonly at: number; readonly failure: DatabaseFailure } | null;
}

export type KeptSteps =
  | { readonly kind: 'kept'; readonly steps: readonly RanStep[] }
  /** Rolled back: the step at this place failed, or took more than it may. */
  | { readonly kind: 'failed'; readonly at: number; readonly failure: DatabaseFailure }
  | { readonly kind: 'more'; readonly at: number; readonly steps: readonly RanStep[] }
  /** Its COMMIT failed, or nobody saw it end. */
  | { readonly kind: 'not_committed'; readonly failure: DatabaseFailure };

/** For a trial of all steps together. */
const trialSeconds = 5;

const untried = 'Its rows were not counted, because an earlier step was not tried.';

/** Counts the steps by running them and rolling them back. Call it within `answering`. */
export async function trySteps(
  database: Database,
  context: CallContext,
  steps: readonly CountRequest[],
): Promise<TriedSteps> {
  const counting = database.countSteps?.();
  const how =
    counting?.insteadOfTrial === undefined ? await Promise.all(steps.map(step => whyNotTried(database, step))) : [];
  const taken: Taken[] = [];
  let fails: TriedSteps['fails'] = null;
  const timeoutSeconds = Math.min(trialSeconds, context.timeoutSeconds);
  const rehearsing = { ...context, timeoutSeconds, givesWay: true, keeps: () => false };
  const ended = await database.rehearse(rehearsing, async rehearsal => {
    let isWhole = true;
    for (const [at, asked] of steps.entries()) {
      const judged = await judgedAgain(rehearsal, counting, asked);
      if (judged.kind !== 'done') {
        if (judged.kind === 'unsupported') fails = { at, failure: judged };
        return judged;
      }
      const step = judged.value;
      const within = await answering(async () => (await counting?.insteadOfTrial?.(step, rehearsal)) ?? null);
      if (within.kind !== 'done') return within;
      const instead = within.value ?? how[at] ?? null;
      if (instead !== null) taken.push(instead);
      isWhole &&= instead === null;
      if (instead !== null) continue;
      const ran = await runStep(rehearsal, counting, step, isLastOrDefines(steps, at));
      if (ran.kind === 'done') taken.push(ran.value.taken);
      else if (ran.kind === 'query_failed' && isWhole) fails = { at, failure: ran };
      if (ran.kind !== 'done') return ran;
    }
    return null;
  });
  const failure = ended.kind === 'done' ? ended.value : ended;
  if (failure !== null && !context.signal.aborted) {
    const why = fails === null ? whyStopped(failure, timeoutSeconds) : 'It was not reached.';
    while (taken.length < steps.length) taken.push(notCounted(why));
  } else if (failure !== null) valueOrThrow(failure);
  return { taken, fails };
}

/** @param isWithin asked after each step; false rolls all back. */
export async function keepSteps(
  database: Database,
  context: CallContext,
  steps: readonly CountRequest[],
  isWithin: (taken: Taken, at: number) => boolean,
): Promise<KeptSteps> {
  const ran: RanStep[] = [];
  let stopped: Exclude<KeptSteps, { kind: 'kept' | 'not_committed' }> | null = null;
  const ended = await database.rehearse({ ...context, keeps: () => stopped === null }, async rehearsal => {
    const counting = database.countSteps?.();
    for (const [at, asked] of steps.entries()) {
      const judged = await judgedAgain(rehearsal, counting, asked);
      if (judged.kind !== 'done') {
        stopped = { kind: 'failed', at, failure: judged };
        return;
      }
      const step = judged.value;
      const answer = await runStep(rehearsal, counting, step, isLastOrDefines(steps, at), taken => isWithin(taken, at));
      if (answer.kind === 'done') ran.push(answer.value);
      if (answer.kind === 'done' && isWithin(answer.value.taken, at)) continue;
      stopped =
        answer.kind === 'done' || answer === notCommitted
          ? { kind: 'more', at, steps: ran }
          : { kind: 'failed', at, failure: answer };
      return;
    }
  });
  if (stopped !== null) return stopped;
  return ended.kind === 'done' ? { kind: 'kept', steps: ran } : { kind: 'not_committed', failure: ended };
}

/**
 * What deferred triggers do must be counted before COMMIT, and a definition is refused while some
 * are pending.
 */
function isLastOrDefines(steps: readonly CountRequest[], at: number): boolean {
  const next = steps[at + 1];
  return next === undefined || !next.classified.classification.isDml;
}

/** @param mayTake asked before what is taken as a whole goes; false gives `notCommitted`. */
function runStep(
  rehearsal: Rehearsal,
  counting: StepCounting | undefined,
  step: CountRequest,
  runsDeferred: boolean,
  mayTake: (taken: Taken) => boolean = () => true,
): Promise<Answer<RanStep>> {
  return answering(async () => {
    const { sql, parameters, classified } = step;
    const { defines, rowEffects } = classified.run ?? {};
    // Then the catalogs say behind it whether it did more.
    const onlyAdds = defines !== undefined && classified.classification.class === 'write';
    const whole = onlyAdds ? null : ((await counting?.before(step, rehearsal)) ?? null);
    if (whole !== null && !mayTake(whole)) return valueOrThrow(notCommitted);
    const outcome = await rehearsal.run(
      {
        sql,
        parameters,
        ours: false,
        limits: { cellBytes: 256, wireBytes: maxWireBytes },
        ...(rowEffects !== undefined && { rowEffects }),
        ...(onlyAdds && { defines }),
      },
      { columns() {}, row: () => true },
    );
    if (outcome.kind !== 'done' && outcome.kind !== 'not_committed') return valueOrThrow(outcome);
    const counts = valueOrThrow(await rehearsal.rowCounts(runsDeferred ? 'run' : 'wait'));
    const rows = takenByChanges(counts, namedIn(step));
    const further = whole === null ? takesNothing : ((await counting?.after(rehearsal)) ?? takesNothing);
    const reasons = outcome.kind === 'done' ? [] : [(outcome.reasons ?? []).map(english).join(' ')];
    const taken = [withoutWhole(rows, whole), further].reduce(withFound, whole ?? takesNothing);
    return {
      taken: { ...taken, notes: [...taken.notes, ...reasons] },
      rowsAffected: outcome.kind === 'done' ? outcome.rowsAffected : null,
      warnings: outcome.kind === 'done' ? outcome.warnings : [],
    };
  });
}

/** A table that goes loses its rows, too: they are told once. */
function withoutWhole(rows: Taken, whole: Taken | null): Taken {
  const gone = whole?.tables.filter(({ act }) => act === 'dropped' || act === 'emptied').map(({ name }) => name) ?? [];
  return { ...rows, tables: rows.tables.filter(({ name }) => !gone.includes(name)) };
}

/** Earlier steps may have made what it names, so it is judged once more as it comes. */
function judgedAgain(
  rehearsal: Rehearsal,
  counting: StepCounting | undefined,
  step: CountRequest,
): Promise<Answer<CountRequest>> {
  return answering(async () => (await counting?.judge?.(step, rehearsal)) ?? step);
}

/**
 * A trial is nobody's yes: it runs no code that a statement calls and uses up no numbers.
 * @returns what is told instead of a trial; null if the step may be tried.
 */
async function whyNotTried(database: Database, step: CountRequest): Promise<Taken | null> {
  const { isDml, runsDml, calls } = step.classified.classification;
  if (!isDml && runsDml !== true) return calls.length > 0 ? codeIsCalled(false) : null;
  return toldInstead(step, planning => database.planPreview(step.classifier, planning));
}

function whyStopped(failure: DatabaseFailure, seconds: number): string {
  const because = {
    timeout: `a trial took longer than ${seconds} s`,
    locked: 'another session holds a lock on them',
    cancelled: 'a trial would have kept others waiting',
  } as const;
  if (failure.kind === 'query_failed') return untried;
  if (failure.kind === 'unsupported') return failure.message;
  const why = failure.kind in because ? because[failure.kind as keyof typeof because] : 'the trial was broken off';
  return `Its rows were not counted, because ${why}.`;
}
