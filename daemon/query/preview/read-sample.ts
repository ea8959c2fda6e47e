/**
 * Reads the rows that a statement changed: as they are after it, then, with the statement alone taken back to a savepoint, as
 * they were. Runs nothing of a client's.
 */

import type { Engine } from '../../access/connection.ts';
import type { DatabaseFailure } from '../database.ts';
import { type Images, imagesSql } from './images.ts';
import type { Plan } from './plan.ts';
import { type Rows, type Sample, sampleOf } from './sample.ts';
import type { Keys, Returned, Steps } from './steps.ts';

/** Set before the statement runs, wherever its rows have a key. */
export const savepoint = 'sallyport_before';
const noSample: Sample = { before: null, after: null, warnings: [] };
const notFound = 'the rows it changes could not be found';

/** Whether nothing more can be asked: what the database only refused costs the sample alone. */
export function ends(outcome: {
  readonly kind: string;
}): outcome is Exclude<DatabaseFailure, { kind: 'query_failed' }> {
  return ['read_only', 'timeout', 'not_connected', 'outcome_unknown', 'cancelled', 'unsupported'].includes(
    outcome.kind,
  );
}

/** @param candidates keys guessed before the statement ran; null where none were. */
export async function readSample(
  engine: Engine,
  steps: Steps,
  plan: Plan,
  performed: Returned,
  candidates: Keys | null,
): Promise<Sample | DatabaseFailure> {
  if (plan.noSample !== null) return without(plan.noSample);
  if (performed.rows !== null) return sampleOfRows(plan, performed.rows);
  const isCertain = plan.adds === 'key';
  let keys: Keys | null = plan.adds === 'key' ? performed.keys : candidates;
  if (keys === null && plan.firstMadeKey !== null) {
    const made = await steps.askKeys(plan.firstMadeKey);
    if (ends(made)) return made;
    keys = made.kind === 'keys' ? made : null;
  }
  if (keys === null) return without(notFound);
  if (keys.keys.length === 0) return performed.done.rowsAffected === 0 || isCertain ? noSample : without(notFound);

  const question = imagesSql(engine, plan.target, plan.key, keys.types, keys.keys);
  let after: Images | null = null;
  if (plan.verb !== 'delete' || !isCertain) {
    const asked = await steps.askImages(question, plan.key.length);
    if (ends(asked)) return asked;
    if (asked.kind !== 'images') return without(`the database refused to show it (${messageOf(asked)})`);
    after = asked.images;
  }
  let before: Images | null = null;
  if (wantsBefore(plan) || !isCertain) {
    const back = await steps.tell(`ROLLBACK TO SAVEPOINT ${savepoint}`);
    if (back.kind !== 'done') return back;
    const asked = await steps.askImages(question, plan.key.length);
    if (ends(asked)) return asked;
    if (asked.kind !== 'images') return without(`the database refused to show it (${messageOf(asked)})`);
    before = asked.images;
  }
  const found = sampleOf(plan.verb, keys.keys, { before, after }, isCertain);
  const isEmpty = (found.before?.rows.length ?? 0) + (found.after?.rows.length ?? 0) === 0;
  return isEmpty && performed.done.rowsAffected !== 0 ? without(notFound) : shown(plan, found);
}

function wantsBefore({ verb, mayReplace, movesKeys }: Plan): boolean {
  return (verb !== 'insert' || mayReplace) && !movesKeys;
}

/** Sides that say nothing are left out: rows before an INSERT, rows after a DELETE. */
function shown(plan: Plan, { before, after, warnings }: Sample): Sample {
  return {
    before: wantsBefore(plan) ? before : null,
    after: plan.verb === 'delete' ? null : after,
    warnings: plan.movesKeys
      ? [...warnings, 'The statement gives rows another key, so what they were before is not shown.']
      : warnings,
  };
}

/** Rows without a key, as the statement itself returned them. */
function sampleOfRows(plan: Plan, { columns, rows }: Rows): Sample {
  const given = { columns, rows };
  if (plan.verb === 'delete') return { before: given, after: null, warnings: [] };
  const warnings =
    plan.verb === 'update' || plan.mayReplace
      ? ['The table has no key that tells its rows apart, so what they were before is not shown.']
      : [];
  return { before: null, after: given, warnings };
}

function without(why: string): Sample {
  return { ...noSample, warnings: [`No rows are shown: ${why}.`] };
}

function messageOf(failure: { readonly kind: string } & { readonly message?: string }): string {
  return (failure.message ?? failure.kind).replace(/\.$/, '');
}
