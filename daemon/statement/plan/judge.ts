/**
 * Judges the statements of a plan (spec §12): what each is, whether it may be part of a plan, and
 * whether the engine can take them all back together.
 */

import type { CountRequest } from '../../engines/count/count-request.ts';
import type { Classification } from '../../guard/types.ts';
import { type Refusal, toolError } from '../../refusal.ts';
import type { Call } from '../call.ts';
import { type Allowed, classifyAndDecide } from '../classify-and-decide.ts';
import { countingOf } from '../count-taken.ts';
import type { RefusedRun } from '../record.ts';
import type { RunPorts } from '../run-statement.ts';

/** Nobody reads a longer page before a yes. */
export const mostStatements = 30;

export interface PlanStep {
  readonly call: Call;
  readonly allowed: Allowed;
}

export interface JudgedPlan {
  readonly kind: 'judged';
  readonly steps: readonly PlanStep[];
  /** True if they run in one transaction: all of them, or nothing. */
  readonly isWhole: boolean;
}

/** @param at the place of the statement that can't be part of a plan. */
export type RefusedPlan = { readonly at: number } & RefusedRun;

/** @param calls one a statement, of one connection. */
export async function judgePlan(ports: RunPorts, calls: readonly Call[]): Promise<JudgedPlan | RefusedPlan> {
  const steps: PlanStep[] = [];
  const canUndoDefinitions = calls[0]?.database.countSteps !== undefined;
  for (const [at, call] of calls.entries()) {
    const allowed = await classifyAndDecide(ports, 'granted', call);
    if (allowed.kind === 'refused') return { ...allowed, at };
    const { classification } = allowed;
    const why = whyNoStep(classification, canUndoDefinitions);
    if (why !== null) return { kind: 'refused', at, classification, refusal: why };
    steps.push({ call, allowed });
  }
  const isWhole = canUndoDefinitions || steps.every(({ allowed }) => allowed.classification.isDml);
  return { kind: 'judged', steps, isWhole };
}

function whyNoStep(
  { class: statementClass, reason, needsOwnSession }: Classification,
  canUndoDefinitions: boolean,
): Refusal | null {
  if (statementClass === 'read')
    return toolError('denied', 'It only reads: leave it out of the plan, and run it with execute_query.');
  if (!needsOwnSession || !canUndoDefinitions) return null;
  return toolError(
    'unsupported',
    `It runs in no transaction, so it can't be taken back with the others: leave it out of the plan, and send it by itself. ${reason}`,
  );
}

/** @param asked as `countTaken` takes it. */
export function countingSteps(
  ports: Pick<RunPorts, 'classifier' | 'elapsed'>,
  { steps }: JudgedPlan,
  asked: 'tried' | 'opened',
): CountRequest[] {
  return steps.map(({ call, allowed }) => countingOf(ports, call, allowed, asked));
}
