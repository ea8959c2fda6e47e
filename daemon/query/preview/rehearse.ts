/**
 * Runs a plan: the statement, then the rows under the keys it changed as they are now, then, with the statement alone taken
 * back, as they were. So both readings are of one session and one moment, and nothing is guessed from the statement's text.
 */

import type { Engine } from '../../access/connection.ts';
import type { DatabaseFailure, Rehearsal } from '../database.ts';
import type { QueryLimits } from '../limits.ts';
import type { Plan } from './plan.ts';
import { ends, readSample, savepoint } from './read-sample.ts';
import { mostSampleRows, type Rows, type Sample } from './sample.ts';
import { type Returned, type Steps, stepsOn } from './steps.ts';

export interface Rehearsed {
  readonly kind: 'rehearsed';
  readonly rowsAffected: number | null;
  readonly sample: Sample;
  /** What the client's own RETURNING gave. */
  readonly returned: Rows | null;
  readonly warnings: readonly string[];
}

/** The commit that never comes would have failed. */
export interface CommitFails {
  readonly kind: 'commit_fails';
  readonly message: string;
}

export async function rehearsePlan(
  engine: Engine,
  rehearsal: Rehearsal,
  plan: Plan,
  limits: QueryLimits,
): Promise<Rehearsed | CommitFails | DatabaseFailure> {
  const steps = stepsOn(rehearsal, limits, mostSampleRows);
  const broken = plan.commitCheck.kind === 'count' ? await steps.askNumber(plan.commitCheck.sql) : null;
  if (broken !== null && broken.kind !== 'number') return broken;
  const candidates = plan.candidates === null ? null : await steps.askKeys(plan.candidates);
  if (candidates !== null && ends(candidates)) return candidates;

  if (plan.key.length > 0) {
    const saved = await steps.tell(`SAVEPOINT ${savepoint}`);
    if (saved.kind !== 'done') return saved;
  }
  const performed = await perform(steps, plan);
  if (performed.kind !== 'performed') return performed;
  const checked = await checkCommit(steps, plan, broken?.value ?? 0);
  if (checked !== null) return checked;

  const sampled = await readSample(
    engine,
    steps,
    performed.plan,
    performed,
    candidates?.kind === 'keys' ? candidates : null,
  );
  if ('kind' in sampled) return sampled;
  return {
    kind: 'rehearsed',
    rowsAffected: performed.plan.countsRows ? performed.rowCount : performed.done.rowsAffected,
    sample: sampled,
    returned: performed.own && { columns: performed.own.columns, rows: performed.own.rows },
    warnings: [...performed.done.warnings, ...plan.warnings, ...sampled.warnings],
  };
}

/**
 * What may come of our addition alone, and comes before anything is done: a table or column that this account may not
 * read, and what the engine's grammar refuses.
 */
const mayBeOurs: ReadonlyMap<string, string> = new Map([
  ['1142', 'this account may not read the table'],
  ['1143', 'this account may not read the table'],
  ['1064', 'the statement can not be made to return what it changes'],
  ['SQLITE_ERROR', 'the statement can not be made to return what it changes'],
]);

/** With what we added, or, where that is refused, as the client wrote it: then the error is about the client's text too. */
async function perform(
  steps: Steps,
  plan: Plan,
): Promise<({ readonly kind: 'performed'; readonly plan: Plan } & Returned) | DatabaseFailure> {
  const added = plan.adds === 'row' ? 'row' : plan.adds === 'key' ? plan.key.length : 0;
  const performed = await steps.perform(plan.sql, added);
  if (performed.kind === 'performed') return { ...performed, plan };
  const code = performed.kind === 'query_failed' && plan.adds !== null ? performed.code : null;
  const noSample = mayBeOurs.get(code ?? '');
  if (noSample === undefined) return performed;
  const bare = await steps.perform(plan.bare, 0);
  if (bare.kind !== 'performed') return bare;
  return { ...bare, plan: { ...plan, adds: null, noSample, countsRows: plan.ownReturning } };
}

async function checkCommit(steps: Steps, plan: Plan, broken: number): Promise<CommitFails | DatabaseFailure | null> {
  const check = plan.commitCheck;
  if (check.kind === 'none') return null;
  if (check.kind === 'statement') {
    const outcome = await steps.tell(check.sql);
    if (outcome.kind === 'query_failed') return { kind: 'commit_fails', message: outcome.message };
    return outcome.kind === 'done' ? null : outcome;
  }
  const now = await steps.askNumber(check.sql);
  if (now.kind !== 'number') return now;
  return now.value > broken ? { kind: 'commit_fails', message: 'FOREIGN KEY constraint failed' } : null;
}
