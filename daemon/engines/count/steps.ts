/**
 * Runs several statements of a client one after another in one transaction, and counts after each
 * what it takes (spec §12). A count at the end would be wrong, as TRUNCATE sets the counters back.
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
  type RehearsalContext,
} from '../engine.ts';
import { beginning } from '../shorten.ts';
import { type CountRequest, namedIn, notCommitted, type StepCounting, withFound } from './count-request.ts';
import { codeIsCalled, notCounted, type Taken, takenByChanges, takesNothing, uncountedBecause } from './taken.ts';
import { othersLock, othersWait, toldInstead } from './trial.ts';

export interface RanStep {
  readonly taken: Taken;
  readonly durationMilliseconds: number;
  readonly rowsAffected: number | null;
  readonly warnings: readonly string[];
}

export interface TriedSteps {
  /** One for each step, in order. */
  readonly taken: readonly Taken[];
  /** The place of the step that fails as things are now; null if none is known to. */
  readonly fails: number | null;
}

export type KeptSteps =
  | { readonly kind: 'kept'; readonly steps: readonly RanStep[] }
  /** All was rolled back: the step at this place failed. */
  | { readonly kind: 'failed'; readonly at: number; readonly failure: DatabaseFailure }
  /** All was rolled back: the step at this place was the first that took more than it may. */
  | { readonly kind: 'more'; readonly at: number }
  /** The COMMIT failed, or nobody saw it end. */
  | { readonly kind: 'not_committed'; readonly failure: DatabaseFailure };

/** A database's message on one line. Code in the database may have written it: shells escape it. */
const sentenceIn = (message: string): string => beginning(message.replace(/\s+/g, ' '), 300);

/** How long a trial of all steps together may take. */
const trialSeconds = 5;

const behindUntried = 'It was counted without an earlier step, which was not tried.';

/** Counts the steps by running them and rolling them back. Call it within `answering`. */
export async function trySteps(
  database: Database,
  context: CallContext,
  steps: readonly CountRequest[],
): Promise<TriedSteps> {
  const counting = database.countSteps?.(false);
  const outside: (Taken | null)[] = [];
  if (counting?.insteadOfTrial === undefined)
    for (const step of steps) outside.push(await insteadOfTrial(database, step));
  const taken: Taken[] = [];
  let fails: number | null = null;
  let untried = false;
  const timeoutSeconds = Math.min(trialSeconds, context.timeoutSeconds);
  const rehearsing = { ...context, timeoutSeconds, givesWay: true, keeps: () => false };
  const tryStep = (rehearsal: Rehearsal, at: number, asked: CountRequest): Promise<Answer<Counted>> =>
    answering(async () => {
      const step = (await counting?.judge?.(asked, rehearsal)) ?? asked;
      const told = (await counting?.insteadOfTrial?.(step, rehearsal)) ?? outside[at] ?? null;
      if (told !== null) return untriedStep(rehearsal, counting, step, told);
      return valueOrThrow(
        await runStep(rehearsal, counting, step, { isTrial: true, runsDeferred: defersNoLonger(steps, at) }),
      );
    });
  const ended = await database.rehearse(rehearsing, async rehearsal => {
    for (const [at, asked] of steps.entries()) {
      const ran = await tryStep(rehearsal, at, asked);
      if (ran.kind === 'unsupported' || (ran.kind === 'query_failed' && !untried)) fails = at;
      if (ran.kind === 'unsupported') taken.push(notCounted(ran.message));
      else if (ran.kind === 'query_failed' && fails === at)
        taken.push(notCounted(`It fails as things are now: ${sentenceIn(ran.message)}`));
      if (ran.kind !== 'done') return ran;
      const { taken: found, isTried } = ran.value;
      taken.push(untried ? { ...found, notes: [...found.notes, behindUntried] } : found);
      untried ||= !isTried;
    }
    return null;
  });
  const failure = ended.kind === 'done' ? ended.value : ended;
  if (failure !== null && context.signal.aborted) valueOrThrow(failure);
  const why = failure === null || fails !== null ? 'It was not reached.' : whyStopped(failure, timeoutSeconds);
  while (taken.length < steps.length) taken.push(notCounted(why));
  return { taken, fails };
}

/**
 * What follows a step: `keep` it, `stop` and roll all back, or `look`. With `look` all is rolled
 * back, too, but the other steps are run first, to find what they take. Steps of which a rollback
 * would leave something are passed over.
 */
type HeldStep = 'keep' | 'look' | 'stop';

/**
 * Runs the steps and commits them, if each takes no more than it may.
 * @param held says what follows a step that takes this much. It is also called before a step that
 *   takes tables or objects as a whole.
 */
export async function keepSteps(
  database: Database,
  context: CallContext,
  steps: readonly CountRequest[],
  held: (taken: Taken, at: number) => HeldStep,
  committing: RehearsalContext['committing'],
): Promise<KeptSteps> {
  const ran: RanStep[] = [];
  let stopped: Exclude<KeptSteps, { kind: 'kept' | 'not_committed' }> | null = null;
  let isLeftOut = false;
  const kept = { ...context, keeps: () => stopped === null, committing };
  const ended = await database.rehearse(kept, async rehearsal => {
    const counting = database.countSteps?.(true);
    for (const [at, asked] of steps.entries()) {
      const judged = await answering(async () => (await counting?.judge?.(asked, rehearsal)) ?? asked);
      // The step would be run for its figures alone, and something of it would stay.
      if (stopped !== null && judged.kind === 'done' && (await staysBehind(counting, judged.value, rehearsal))) {
        isLeftOut = true;
        continue;
      }
      const mayTake = (taken: Taken): boolean => held(taken, at) !== 'stop';
      const how = { isTrial: false, runsDeferred: defersNoLonger(steps, at), mayTake };
      const answer = judged.kind === 'done' ? await runStep(rehearsal, counting, judged.value, how) : judged;
      if (answer.kind !== 'done') {
        // Such a step fails again, whatever the person allows.
        const failsAgain = answer.kind === 'unsupported' || (answer.kind === 'query_failed' && !isLeftOut);
        if (failsAgain) stopped = { kind: 'failed', at, failure: answer };
        stopped ??= answer === notCommitted ? { kind: 'more', at } : { kind: 'failed', at, failure: answer };
        return;
      }
      ran.push(answer.value);
      const verdict = held(answer.value.taken, at);
      if (verdict !== 'keep') stopped ??= { kind: 'more', at };
      if (verdict === 'stop') return;
    }
  });
  // A rollback that left something behind matters more than why it was made.
  if (stopped !== null && ended.kind !== 'outcome_unknown') return stopped;
  return ended.kind === 'done' ? { kind: 'kept', steps: ran } : { kind: 'not_committed', failure: ended };
}

/** True if a rollback would leave something of the step, or if nobody can tell. */
async function staysBehind(
  counting: StepCounting | undefined,
  step: CountRequest,
  rehearsal: Rehearsal,
): Promise<boolean> {
  const stays = await answering(async () => (await counting?.outlivesRollback?.(step, rehearsal)) ?? false);
  return stays.kind !== 'done' || stays.value;
}

/**
 * True if deferred triggers must run after this step: at the last one, because what they do must be
 * counted before COMMIT, and before a definition, which is refused while some are pending.
 */
function defersNoLonger(steps: readonly CountRequest[], at: number): boolean {
  const next = steps[at + 1];
  return next === undefined || !next.classified.classification.isDml;
}

interface HowToRun {
  readonly isTrial: boolean;
  readonly runsDeferred: boolean;
  /** Called before a step takes tables or objects as a whole; false gives `notCommitted`. */
  readonly mayTake?: (taken: Taken) => boolean;
}

/** `isTried` is false for a step that was counted without running it. */
type Counted = RanStep & { readonly isTried: boolean };

function runStep(
  rehearsal: Rehearsal,
  counting: StepCounting | undefined,
  step: CountRequest,
  { isTrial, runsDeferred, mayTake = () => true }: HowToRun,
): Promise<Answer<Counted>> {
  return answering(async () => {
    const { sql, parameters, classified, elapsed } = step;
    const began = elapsed();
    const { defines, rowEffects } = classified.run ?? {};
    // For such a definition the catalogs tell afterwards whether it did more than add.
    const onlyAdds = defines !== undefined && classified.classification.class === 'write';
    const whole = onlyAdds ? null : ((await counting?.before(step, rehearsal)) ?? null);
    if (whole !== null && !mayTake(whole.taken)) return valueOrThrow(notCommitted);
    // Code of triggers runs only after a yes, and a trial has none.
    if (isTrial && whole?.hasTriggers === true) return notRun(whole.taken);
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
    const rows = withoutWhole(takenByChanges(counts, namedIn(step)), whole?.taken ?? takesNothing);
    const further = whole === null ? takesNothing : ((await counting?.after(rehearsal)) ?? takesNothing);
    const taken = [rows, further].reduce(withFound, whole?.taken ?? takesNothing);
    // What a definition did besides adding must have been shown, word for word.
    const reasons = outcome.kind === 'done' ? [] : [(outcome.reasons ?? []).map(english).join(' ')];
    return {
      taken: { ...taken, notes: [...taken.notes, ...reasons], isOpen: taken.isOpen || reasons.length > 0 },
      rowsAffected: outcome.kind === 'done' ? outcome.rowsAffected : null,
      warnings: outcome.kind === 'done' ? outcome.warnings : [],
      durationMilliseconds: elapsed() - began,
      isTried: true,
    };
  });
}

function notRun(taken: Taken): Counted {
  return { taken, rowsAffected: null, warnings: [], durationMilliseconds: 0, isTried: false };
}

/** Counts a step without trying it. What it takes as a whole, the catalog tells all the same. */
async function untriedStep(
  rehearsal: Rehearsal,
  counting: StepCounting | undefined,
  step: CountRequest,
  told: Taken,
): Promise<Counted> {
  if (step.classified.classification.isDml) return notRun(told);
  const whole = (await counting?.before(step, rehearsal)) ?? null;
  return notRun(whole === null ? told : withFound(whole.taken, told));
}

/** The rows without those of tables that are taken as a whole, so that they are told once. */
function withoutWhole(rows: Taken, whole: Taken): Taken {
  const gone = whole.tables.filter(({ act }) => act === 'dropped' || act === 'emptied').map(({ name }) => name);
  return { ...rows, tables: rows.tables.filter(({ name }) => !gone.includes(name)) };
}

/**
 * Judges whether a step may be tried. A trial runs no code that a statement calls, and uses up no
 * numbers.
 * @returns what is told instead of a trial; null if the step may be tried.
 */
async function insteadOfTrial(database: Database, step: CountRequest): Promise<Taken | null> {
  const { isDml, runsDml, calls } = step.classified.classification;
  if (!isDml && runsDml !== true) return calls.length > 0 ? codeIsCalled(false) : null;
  return toldInstead(step, planning => database.planPreview(step.classifier, planning));
}

function whyStopped(failure: DatabaseFailure, seconds: number): string {
  const because = {
    timeout: `a trial took longer than ${seconds} s`,
    locked: othersLock,
    cancelled: othersWait,
    query_failed: 'it needs a step that was not tried',
  } as const;
  if (failure.kind === 'unsupported') return failure.message;
  const why = failure.kind in because ? because[failure.kind as keyof typeof because] : 'the trial was broken off';
  return uncountedBecause(why);
}
