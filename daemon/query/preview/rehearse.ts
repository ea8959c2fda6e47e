/**
 * Runs a plan: the statement, then the rows under the keys it changed as they are now, then, with the statement alone taken
 * back, as they were. So both readings are of one session and one moment, and nothing is guessed from the statement's text.
 */

import type { Engine } from '../../access/connection.ts';
import type { DatabaseFailure, Rehearsal } from '../database.ts';
import type { QueryLimits } from '../limits.ts';
import { type Images, imagesSql } from './images.ts';
import type { Plan } from './plan.ts';
import { mostSampleRows, type Rows, type Sample, sampleOf } from './sample.ts';
import { type Keys, type Returned, type Steps, stepsOn } from './steps.ts';

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

const noSample: Sample = { before: null, after: null, warnings: [] };
const notFound = 'the rows it changes could not be found';
const savepoint = 'sallyport_before';

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

  const sampled = await sample(
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

/** Whether nothing more can be asked: what the database only refused costs the sample alone. */
function ends(outcome: { readonly kind: string }): outcome is Exclude<DatabaseFailure, { kind: 'query_failed' }> {
  return ['read_only', 'timeout', 'not_connected', 'cancelled', 'unsupported'].includes(outcome.kind);
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

async function sample(
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
