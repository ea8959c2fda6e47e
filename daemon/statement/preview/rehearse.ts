/**
 * Runs a plan: the statement; then the rows under its keys as they are now; then, with the
 * statement rolled back to a savepoint, as they were. So both readings are from one session and one
 * moment.
 */

import type { Dialect, Key } from '../../engines/dialect.ts';
import type {
  DatabaseFailure,
  Parameter,
  Rehearsal,
  RehearsalStep,
  RowCounts,
  StatementDone,
} from '../../engines/engine.ts';
import { maxWireBytes } from '../../engines/engine.ts';
import { atStep } from '../../engines/look-up.ts';
import { type Plan, triggerWarning } from '../../engines/preview-plan.ts';
import { warningsOn } from '../../engines/replaced-text.ts';
import { mostSampleRows } from '../../guard/data-change.ts';
import type { RowEffects } from '../../guard/types.ts';
import type { QueryLimits } from '../query-limits.ts';
import { type CollectedRows, collectRows } from '../result-set.ts';
import { keysOf, type Rows, type Sample, sampleOf } from './rows.ts';

export interface Rehearsed {
  readonly kind: 'rehearsed';
  readonly rowsAffected: number | null;
  readonly sample: Sample;
  /** What the client's own RETURNING gave. */
  readonly returned: Rows | null;
  readonly warnings: readonly string[];
  readonly changes: RowCounts;
}

interface Told extends StatementDone, CollectedRows {
  /** All rows that came, kept or not. */
  readonly rowCount: number;
}

/** @param share of the answer's bytes for its rows. */
type Ask = (sql: string, share?: number, parameters?: readonly Parameter[]) => Promise<Told | DatabaseFailure>;

/** Shares of the answer: rows before and after, and what the statement itself returned. */
const imageShare = 3 / 8;
const returnedShare = 1 / 4;
const savepoint = 'sallyport_before';
const takeBack = { sql: `ROLLBACK TO SAVEPOINT ${savepoint}`, parameters: [] };

export async function rehearsePlan(
  dialect: Dialect,
  rehearsal: Rehearsal,
  plan: Plan,
  rowEffects: RowEffects | undefined,
  limits: QueryLimits,
): Promise<Rehearsed | DatabaseFailure> {
  const ask = askOn(rehearsal, limits, { ours: true });
  const perform = askOn(rehearsal, limits, { ours: false, ...(rowEffects !== undefined && { rowEffects }) });
  let { sample } = plan;
  const { deferred } = plan;
  const broken = deferred?.grows === undefined ? null : await ask(deferred.sql);
  if (broken !== null && broken.kind !== 'done') return broken;
  const asked = sample.kind === 'asked' ? await ask(sample.sql) : null;
  // A refusal costs only the sample; if the statement itself is wrong, its own error says so.
  if (asked !== null && asked.kind !== 'done' && asked.kind !== 'query_failed') return asked;
  if (asked?.kind === 'query_failed') sample = { kind: 'none', why: refusalOf(asked) };
  if (sample.kind !== 'none') {
    const saved = await ask(`SAVEPOINT ${savepoint}`);
    if (saved.kind !== 'done') return saved;
  }

  let told = await perform(sample.kind === 'returned' ? sample.sql : plan.sql, returnedShare);
  const why = told.kind === 'query_failed' ? dialect.refusesReturning?.[told.code ?? ''] : undefined;
  if (sample.kind === 'returned' && why !== undefined) {
    // As the client wrote it, so the error is about the client's text.
    sample = { kind: 'none', why };
    told = await perform(plan.sql, returnedShare);
  }
  if (told.kind !== 'done') return told;
  const ending = deferred === undefined ? null : await tryCommit(deferred, ask, broken);
  if (ending !== null && ending.kind !== 'done') return ending;
  const counted = await rehearsal.rowCounts();
  if (counted.kind !== 'done') return counted;
  // The same counters tell the triggers: a server that lacks them would fail the transaction.
  const isUntold = plan.triggersOf !== undefined && counted.value.uncounted !== null;
  const triggers = plan.triggersOf === undefined || isUntold ? null : await ask(plan.triggersOf);
  if (triggers !== null && triggers.kind !== 'done') return triggers;
  const names = triggers?.rows.cells().map(([name]) => String(name)) ?? [];

  // MariaDB gives no count beside rows.
  const gaveWay = counted.value.tables.find(({ table }) => table === plan.replaces);
  const replaced = gaveWay === undefined ? 0 : gaveWay.updated + gaveWay.deleted;
  const rowsAffected = told.rowsAffected ?? told.rowCount + replaced;
  const own = told.columns.length - (sample.kind === 'returned' ? sample.key.length : 0);
  const keys = sample.kind === 'none' ? [] : keysOf(asked?.kind === 'done' ? asked : told, sample.key.length);
  const shown = await readSample(dialect, ask, sample, keys, rowsAffected);
  if ('kind' in shown) return shown;
  const returned = own === 0 ? null : { columns: told.columns.slice(0, own), rows: told.rows.withFirst(own) };
  return {
    kind: 'rehearsed',
    rowsAffected,
    sample: shown,
    returned,
    warnings: [
      ...new Set([
        ...warningsOn(returned?.rows ?? { json: '' }, told.warnings),
        ...(ending?.warnings ?? []),
        ...(isUntold ? ['Which triggers ran is not known either.'] : triggerWarning(names)),
        ...plan.warnings,
        ...(counted.value.remains ?? []),
        ...shown.warnings,
      ]),
    ],
    changes: counted.value,
  };
}

/** @param whose ours or the client's; at most `mostSampleRows` of its rows are kept. */
function askOn(rehearsal: Rehearsal, limits: QueryLimits, whose: Pick<RehearsalStep, 'ours' | 'rowEffects'>): Ask {
  return async (sql, share = imageShare, parameters = []) => {
    const collector = collectRows(mostSampleRows, Math.floor(limits.maxAnswerBytes * share));
    let rowCount = 0;
    const outcome = await rehearsal.run(
      { sql, parameters, ...whose, limits: { cellBytes: limits.maxCellBytes, wireBytes: maxWireBytes } },
      {
        columns: columns => collector.columns(columns),
        row(row) {
          rowCount += 1;
          if (rowCount <= mostSampleRows) collector.row(row);
          return true;
        },
      },
    );
    return outcome.kind === 'done' ? { ...outcome, ...collector.collected(), rowCount } : outcome;
  };
}

/**
 * Makes checks run now that only a commit would run.
 * @param before violations before the statement.
 */
async function tryCommit(
  { sql, grows }: NonNullable<Plan['deferred']>,
  ask: Ask,
  before: CollectedRows | null,
): Promise<Told | DatabaseFailure> {
  const now = await ask(sql);
  if (grows === undefined) {
    if (now.kind !== 'query_failed') return now;
    return lacksDeferred.test(now.code ?? '') ? atStep('set_up', now) : commitFails(now.message);
  }
  if (now.kind !== 'done') return now;
  const grew = Number(now.rows.cells()[0]?.[0] ?? 0) > Number(before?.rows.cells()[0]?.[0] ?? 0);
  return grew ? commitFails(grows) : now;
}

/**
 * The server doesn't know the words, or can't do it. Any other error is one of a check, or of a
 * trigger, which may also lack a right or a table.
 */
const lacksDeferred = /^(?:0A000|42601)$/;

function commitFails(why: string): DatabaseFailure {
  const message = `The statement itself ran, but its commit would fail: ${why} All was rolled back.`;
  return { kind: 'query_failed', message, code: null };
}

export const notShown = (why: string): string => `No rows are shown: ${why}.`;

/** Rows under the keys after the statement, then before it, once it is rolled back. */
async function readSample(
  dialect: Dialect,
  ask: Ask,
  sample: Plan['sample'],
  keys: readonly Key[],
  rowsAffected: number,
): Promise<Sample | DatabaseFailure> {
  const nothing = (why: string) => ({
    before: null,
    after: null,
    telling: [],
    warnings: [notShown(why)],
  });
  if (sample.kind === 'none') return nothing(sample.why);
  const questions = keys.map(key => dialect.rowUnder(sample.table, sample.key, key, sample.columns));
  const found: Told[] = [];
  for (const { sql, parameters } of [...questions, takeBack, ...questions]) {
    const told = await ask(sql, imageShare / keys.length, parameters);
    if (told.kind === 'query_failed') return nothing(refusalOf(told));
    if (told.kind !== 'done') return told;
    found.push(told);
  }
  const shown = sampleOf(sample.shownKey, found.slice(keys.length + 1), found.slice(0, keys.length));
  const isEmpty = shown.before === null && shown.after === null && rowsAffected > 0;
  return isEmpty ? nothing('none of those that were looked at changes') : shown;
}

function refusalOf({ message }: { readonly message: string }): string {
  return `the database refused to show them (${message.replace(/\.$/, '')})`;
}
