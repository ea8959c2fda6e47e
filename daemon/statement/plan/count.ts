/** Counts what a plan takes, step by step, before a person is asked (spec §12). */

import { answering, valueOrThrow } from '../../engines/answering.ts';
import { trySteps } from '../../engines/count/steps.ts';
import { notCounted, type Taken } from '../../engines/count/taken.ts';
import type { Answer } from '../../engines/engine.ts';
import { countTaken } from '../count-taken.ts';
import type { RunPorts } from '../run-statement.ts';
import { countingSteps, type JudgedPlan } from './judge.ts';

export interface CountedPlan {
  /** One a step. */
  readonly taken: readonly Taken[];
  /** The step that fails as things are now; null if none is known to. */
  readonly fails: { readonly at: number; readonly message: string } | null;
}

/** Nobody has confirmed anything yet, so the trial uses up no numbers that new rows get. */
export function countPlan(ports: RunPorts, plan: JudgedPlan): Promise<Answer<CountedPlan>> {
  return answering(() => (plan.isWhole ? countTogether(ports, plan) : countEach(ports, plan)));
}

async function countTogether(ports: RunPorts, plan: JudgedPlan): Promise<CountedPlan> {
  const [first] = plan.steps;
  if (first === undefined) return { taken: [], fails: null };
  const { database, context } = first.call;
  const { taken, fails } = await trySteps(database, context, countingSteps(ports, plan, 'opened'));
  const message = fails !== null && 'message' in fails.failure ? fails.failure.message : null;
  return { taken, fails: fails === null || message === null ? null : { at: fails.at, message } };
}

const asTheyAre = 'Counted as things are now, before the steps above.';

/** Where definitions commit by themselves, each is counted as if the others had not run. */
async function countEach(ports: RunPorts, { steps }: JudgedPlan): Promise<CountedPlan> {
  const taken: Taken[] = [];
  for (const [at, { call, allowed }] of steps.entries()) {
    const counted = await countTaken(ports, call, allowed, 'opened');
    const isEarlier = at > 0 && counted.kind === 'query_failed';
    const told = isEarlier
      ? notCounted('Its rows were not counted, because it needs what an earlier step does.')
      : valueOrThrow(counted);
    taken.push(at === 0 || isEarlier ? told : { ...told, notes: [...told.notes, asTheyAre] });
  }
  return { taken, fails: null };
}
