/**
 * Runs a plan that its person has allowed as it was shown (spec §12): all or nothing where the
 * engine can take it back, else up to the first failure. Each statement has its rows in the log and
 * the history.
 */

import { type KeptSteps, keepSteps } from '../../engines/count/steps.ts';
import { exceeds, type Taken } from '../../engines/count/taken.ts';
import type { CommitTrace, DatabaseFailure } from '../../engines/engine.ts';
import { type Refusal, toolError } from '../../refusal.ts';
import { guardedRun } from '../count-taken.ts';
import { refusalOf, refusalOfWrite } from '../failure-refusals.ts';
import { recordRun, type StatementEnd } from '../record.ts';
import { type RunPorts, runClassified } from '../run-statement.ts';
import { countingSteps, type JudgedPlan } from './judge.ts';

/** What became of a plan. Steps are counted from 0. */
export type PlanRun =
  /** `rows`: what each step changed; null for one that has no number. */
  | { readonly kind: 'done'; readonly rows: readonly (number | null)[]; readonly warnings: readonly string[] }
  /**
   * Step `at` failed. `rows` of those before it, which stay; none stay if the plan ran as a whole.
   */
  | {
      readonly kind: 'failed';
      readonly at: number;
      readonly refusal: Refusal;
      readonly rows: readonly (number | null)[];
    }
  /** Rolled back, or stopped before step `at`, by place: what these steps would have taken. */
  | {
      readonly kind: 'more';
      readonly at: number;
      readonly found: readonly (Taken | undefined)[];
      readonly rows: readonly (number | null)[];
    }
  /** All ran, and nobody saw the COMMIT end, or it failed. */
  | { readonly kind: 'not_committed'; readonly refusal: Refusal };

/** @param shown what the person was shown, one a step. */
export function runPlan(ports: RunPorts, plan: JudgedPlan, shown: readonly Taken[]): Promise<PlanRun> {
  return plan.isWhole ? runTogether(ports, plan, shown) : runEach(ports, plan, shown);
}

async function runTogether(ports: RunPorts, plan: JudgedPlan, shown: readonly Taken[]): Promise<PlanRun> {
  const { steps } = plan;
  const [first] = steps;
  if (first === undefined) return { kind: 'done', rows: [], warnings: [] };
  const { database, context, resolved } = first.call;
  const { connection } = resolved;
  // MySQL's tables without transactions keep what is run for its figures alone.
  const mayLook = database.countSteps !== undefined;
  const found: (Taken | undefined)[] = [];
  const committings: ((trace: CommitTrace) => void)[] = [];
  let ran: KeptSteps | null = null;
  /** The rows of all attempts are written before the first statement is sent. */
  const run = async (at: number): Promise<StatementEnd> => {
    const step = steps[at];
    if (step === undefined) {
      ran = await keepSteps(
        database,
        context,
        countingSteps(ports, plan, 'tried'),
        (taken, place) => {
          const limit = shown[place];
          if (limit !== undefined && !exceeds(taken, limit) && isSaid(taken, limit)) return 'keep';
          found[place] = taken;
          return mayLook && shown.slice(0, place + 1).some(({ notes }) => notes.length > 0) ? 'look' : 'stop';
        },
        trace => {
          for (const committing of committings) committing(trace);
        },
      );
      return { kind: 'refused', refusal: broken, durationMilliseconds: null };
    }
    return recordRun(ports, step.call, step.allowed.classification.class, true, async committing => {
      if (committing !== undefined) committings.push(committing);
      const inner = await run(at + 1);
      // An attempt behind this one could not be recorded, so nothing ran.
      if (ran === null) return inner;
      return endOf(ran, at, connection);
    });
  };
  const end = await run(0);
  const ended = ran as KeptSteps | null;
  if (ended === null) return { kind: 'failed', at: 0, refusal: refusalIn(end), rows: [] };
  switch (ended.kind) {
    case 'kept':
      return {
        kind: 'done',
        rows: ended.steps.map(({ rowsAffected }) => rowsAffected),
        warnings: ended.steps.flatMap(({ warnings }) => warnings),
      };
    case 'failed':
      return { kind: 'failed', at: ended.at, refusal: refusalOfWrite(ended.failure, connection), rows: [] };
    case 'more':
      return { kind: 'more', at: ended.at, found, rows: [] };
    case 'not_committed':
      return { kind: 'not_committed', refusal: refusalOfWrite(ended.failure, connection) };
  }
}

const broken = toolError('outcome_unknown', 'Something went wrong inside Sallyport while the plan ran.');

/** What the log says of one step. */
function endOf(ran: KeptSteps, at: number, connection: Parameters<typeof refusalOf>[1]): StatementEnd {
  if (ran.kind === 'kept') {
    const { rowsAffected = null, durationMilliseconds = 0 } = ran.steps[at] ?? {};
    return { kind: 'done', rows: rowsAffected, durationMilliseconds };
  }
  const durationMilliseconds = null;
  const own = (failure: DatabaseFailure): StatementEnd => ({
    kind: 'refused',
    refusal: refusalOfWrite(failure, connection),
    durationMilliseconds,
  });
  if (ran.kind === 'not_committed') return own(ran.failure);
  if (ran.kind === 'failed' && ran.at === at) return own(ran.failure);
  const because = ran.kind === 'failed' ? 'failed' : 'would have taken more than the user was shown';
  const whose = ran.at === at ? 'it' : `step ${ran.at + 1} of its plan`;
  const refusal = toolError('denied', `Nothing was changed: ${whose} ${because}.`);
  return { kind: 'refused', refusal, durationMilliseconds };
}

/** What can't be counted was shown so, word for word. */
function isSaid({ isOpen, notes }: Taken, shown: Taken): boolean {
  return !isOpen || notes.every(note => shown.notes.includes(note));
}

function refusalIn(end: StatementEnd): Refusal {
  return end.kind === 'refused' ? end.refusal : broken;
}

async function runEach(ports: RunPorts, { steps }: JudgedPlan, shown: readonly Taken[]): Promise<PlanRun> {
  const rows: (number | null)[] = [];
  const warnings: string[] = [];
  for (const [at, { call, allowed }] of steps.entries()) {
    const limit = shown[at];
    const guarded = limit === undefined ? null : await guardedRun(ports, call, allowed, limit);
    if (guarded === null) return { kind: 'failed', at, refusal: broken, rows };
    if (guarded.kind !== 'done')
      return { kind: 'failed', at, refusal: refusalOf(guarded, call.resolved.connection), rows };
    const result = await runClassified(ports, call, allowed, guarded.value);
    const found = guarded.value.excess.found();
    if (result.kind !== 'done' && found !== null)
      return { kind: 'more', at, found: shown.map((_, place) => (place === at ? found : undefined)), rows };
    if (result.kind !== 'done') return { kind: 'failed', at, refusal: result.refusal, rows };
    rows.push(result.resultSet.rowsAffected);
    warnings.push(...result.resultSet.warnings);
  }
  return { kind: 'done', rows, warnings };
}
