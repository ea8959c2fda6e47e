/** Plans the preview of a PostgreSQL data change, or says why there is none: what a rollback can't take back isn't run. */

import type { Classification } from '../classification/classification.ts';
import type { Answer, CallContext, Database } from '../database.ts';
import { quoteIdentifier } from '../identifiers.ts';
import type { Judging } from '../judging.ts';
import { cascadeWarning, done, listed, type Plan, type Planned, planned, refusedPlan, unsampled } from './plan.ts';
import { type PostgresFacts, postgresFacts, triggerEvents } from './postgres-facts.ts';
import type { PostgresReading } from './postgres-reading.ts';

/** Of the built-in functions that write, those whose effect outlives a rollback. */
const outlives = new Set(
  `setval pg_create_physical_replication_slot pg_create_logical_replication_slot pg_copy_physical_replication_slot
  pg_copy_logical_replication_slot pg_replication_slot_advance pg_logical_slot_get_changes
  pg_logical_slot_get_binary_changes pg_replication_origin_advance pg_logical_emit_message pg_nextoid
  pg_truncate_visibility_map brin_summarize_new_values brin_summarize_range brin_desummarize_range
  gin_clean_pending_list`.split(/\s+/),
);

export async function planPostgres(
  judging: Judging,
  database: Database,
  context: CallContext,
  classification: Classification,
  sql: string,
): Promise<Planned> {
  const read = await judging.ask(context, 'postgresReading', sql);
  if (read.kind !== 'done') return { kind: 'failed', failure: read };
  const reading = read.value;
  if (reading === null) return refusedPlan('The statement is not a single data change, so it is not previewed.');
  const lasting = reading.functions.find(name => outlives.has(name) || /^pg_(stat|restore|clear|set)_/.test(name));
  if (lasting !== undefined) {
    return refusedPlan(`What ${lasting} does outlives a rollback, so the statement is not previewed.`);
  }
  const isPlainInsert = reading.verb === 'insert' && !reading.mayReplace && !reading.writesInWith;
  const events = isPlainInsert ? triggerEvents.insert : triggerEvents.any;
  const facts = await postgresFacts(database, context, reading.writes, events);
  if (facts.kind !== 'done') return { kind: 'failed', failure: facts };
  const [foreign] = facts.value.foreignTables;
  if (foreign !== undefined) {
    return refusedPlan(
      `${foreign} is a foreign table, and what another server does with a change can't be rolled back for sure, so the statement is not previewed.`,
    );
  }
  const returning = (list: string) => judging.ask(context, 'postgresWithReturning', sql, reading, list);
  return planned(await planOf(returning, sql, classification, reading, facts.value));
}

/** @param withReturning the statement made to return this list. */
async function planOf(
  withReturning: (list: string) => Promise<Answer<string | null>>,
  sql: string,
  classification: Classification,
  reading: PostgresReading,
  facts: PostgresFacts,
): Promise<Answer<Plan>> {
  const { target } = facts;
  const base = {
    ...unsampled,
    verb: reading.verb,
    sql,
    bare: sql,
    ownReturning: reading.ownReturning,
    mayReplace: reading.mayReplace,
    commitCheck: { kind: 'statement', sql: 'SET CONSTRAINTS ALL IMMEDIATE' },
    warnings: warningsOf(classification, reading, facts),
  } as const;
  const noSample = whyNoSample(reading, target);
  if (noSample !== null || target === null) return done({ ...base, noSample });
  const alias = quoteIdentifier('postgres', reading.targetAlias);
  const keyed = target.isParent ? [] : target.key;
  const key = keyed.map(name => quoteIdentifier('postgres', name));
  if (key.length === 0 && reading.ownReturning) return done({ ...base, noSample: 'the table has no key' });
  const list = key.length === 0 ? `${alias}.*` : key.map(name => `${alias}.${name}`).join(', ');
  const returning = await withReturning(list);
  if (returning.kind !== 'done') return returning;
  if (returning.value === null)
    return done({ ...base, noSample: 'the statement can not be made to return what it changes' });
  return done({
    ...base,
    sql: returning.value,
    adds: key.length === 0 ? 'row' : 'key',
    target: target.name,
    key,
    movesKeys: reading.sets.some(name => keyed.includes(name)),
    noSample: null,
  });
}

function whyNoSample(reading: PostgresReading, target: PostgresFacts['target']): string | null {
  if (reading.verb === 'merge') return 'MERGE does not tell which rows it changes';
  if (target === null) return 'the table was not found';
  if (target.hasRules) return 'rules rewrite the statement';
  if (!target.mayRead) return 'this role may not read all rows of the table';
  return null;
}

function warningsOf(classification: Classification, reading: PostgresReading, facts: PostgresFacts): readonly string[] {
  const warnings: string[] = [];
  const makesRows = reading.verb === 'insert' || reading.verb === 'merge';
  if (reading.functions.includes('nextval') || (makesRows && facts.target?.usesSequences !== false)) {
    warnings.push('Values taken from sequences stay used up: a rollback does not give them back.');
  }
  if (facts.triggers.length > 0) {
    warnings.push(
      `Code in triggers ran for real (${listed(facts.triggers)}): what it did outside this database is not rolled back.`,
    );
  }
  if (classification.calls.length > 0) {
    const names = classification.calls.map(call => call.name);
    warnings.push(`Functions ran for real (${listed(names)}): what they did outside this database is not rolled back.`);
  }
  if (reading.verb === 'delete' || reading.verb === 'merge') warnings.push(...cascadeWarning(facts.cascades));
  if (reading.writesInWith) warnings.push('rows_affected leaves out what the WITH queries change.');
  return warnings;
}
