/**
 * Plans the preview of an SQLite data change, or says why there is none: what a rollback can't undo
 * isn't run.
 */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import type { SqliteReading } from '../../guard/sqlite/data-change.ts';
import { valueOrThrow } from '../answering.ts';
import type { Classifier } from '../classifier.ts';
import type { WithDatabase } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import {
  notSampled,
  otherKey,
  type Plan,
  type Planning,
  refuse,
  type Sampling,
  sampledByReturning,
  targetIsView,
  triggerWarning,
  withoutKey,
} from '../preview-plan.ts';

/** SQLite's own modules that keep all their data in tables of the same file. */
const transactionalModules = new Set(['fts3', 'fts4', 'fts5', 'rtree', 'rtree_i32', 'geopoly']);

interface TableFacts {
  readonly type: 'table' | 'view' | 'virtual' | 'shadow';
  readonly withoutRowid: 0 | 1;
  /** Null for a table that no statement made. */
  readonly definition: string | null;
  /** All names are in lower case. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  /** Name and definition of each virtual table in the file. */
  readonly virtual: readonly (readonly [string, string])[];
}

const question = `
SELECT json_object('type', t.type, 'withoutRowid', t.wr,
  'definition', (SELECT sql FROM sqlite_schema WHERE name = t.name AND type IN ('table', 'view')),
  'columns', (SELECT json_group_array(lower(name)) FROM temp.pragma_table_xinfo(t.name)),
  'primaryKey', (SELECT json_group_array(lower(name)) FROM (SELECT name FROM temp.pragma_table_xinfo(t.name) WHERE pk > 0 ORDER BY pk)),
  'virtual', (SELECT json_group_array(json_array(name, sql)) FROM sqlite_schema WHERE type = 'table' AND rootpage = 0))
FROM temp.pragma_table_list AS t WHERE t.schema = 'main' AND t.name = ? COLLATE NOCASE`;

/**
 * CHECKs aren't deferred. Only a foreign key can wait for the commit, and its definition says so.
 */
const deferred = {
  sql: `
SELECT count(*) FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND lower(sql) LIKE '%deferr%') AS t,
temp.pragma_foreign_key_check(t.name)`,
  grows: 'FOREIGN KEY constraint failed',
};

export async function planPreview(
  classifier: Classifier,
  { database, context, sql }: WithDatabase<Planning>,
): Promise<Plan> {
  const reading = valueOrThrow(await classifier.ask(context, 'sqliteDataChange', sql));
  if (reading === null) refuse('Which table the statement changes cannot be told, so it is not tried out.');
  const [found] = valueOrThrow(await lookUp(database, context, question, [reading.table]));
  // The statement's own error says it best.
  if (found === undefined) return { sql, sample: notSampled('the table was not found'), warnings: [], deferred };
  const table: TableFacts = JSON.parse(String(found[0]));
  const program = await lookUp(database, context, `EXPLAIN ${sql}`, []);
  const triggers = program.kind === 'done' ? triggersIn(program.value) : [];
  const reachesOthers = table.type === 'view' || program.kind !== 'done' || triggers.length > 0;
  const isVirtual = table.type === 'virtual';
  const suspects = isVirtual ? [[reading.table, table.definition]] : reachesOthers ? table.virtual : [];
  const unsafe = suspects.find(([, text]) => !transactionalModules.has(moduleOf(text)));
  if (unsafe !== undefined) {
    refuse(
      `${unsafe[0]} is a virtual table of the module "${moduleOf(unsafe[1])}", which may not take part in a rollback, so the statement is not tried out.`,
    );
  }
  return {
    sql,
    sample: samplingOf(reading, table),
    warnings: [...triggerWarning(triggers), ...warningsOf(reading, table)],
    // All rows of their tables are checked while nobody else can write, so only if the statement
    // could break a key.
    ...((program.kind !== 'done' || program.value.some(mayDefer)) && { deferred }),
  };
}

/**
 * True if it counts foreign key violations for the commit. Triggers and cascades are listed too,
 * but not what a virtual table's module does.
 */
function mayDefer([, opcode, isForCommit]: readonly unknown[]): boolean {
  return opcode === 'VUpdate' || (opcode === 'FkCounter' && isForCommit !== 0);
}

/**
 * SQLite compiles triggers and cascades into the statement: each such program begins with its name.
 */
function triggersIn(program: readonly (readonly unknown[])[]): readonly string[] {
  const begun = program.flatMap(([, , , , , text]) => /^-- TRIGGER (.*)$/s.exec(String(text))?.[1] ?? []);
  return [...new Set(begun)];
}

function moduleOf(definition: string | null | undefined): string {
  return (/\busing\s+["'`[]?(\w+)/i.exec(definition ?? '')?.[1] ?? '').toLowerCase();
}

const rowidNames = ['rowid', '_rowid_', 'oid'];

function samplingOf(reading: SqliteReading, { type, withoutRowid, columns, primaryKey }: TableFacts): Sampling {
  if (type === 'view') return targetIsView;
  if (type === 'virtual') return notSampled('the target is a virtual table');
  const key = withoutRowid
    ? primaryKey.map(name => quoteIdentifier('sqlite', name))
    : rowidNames.filter(name => !columns.includes(name)).slice(0, 1);
  if (key.length === 0) return withoutKey(primaryKey.length > 0);
  // An INTEGER PRIMARY KEY is another name for the rowid.
  if (reading.sets.some(name => primaryKey.includes(name) || rowidNames.includes(name))) return otherKey;
  return sampledByReturning(reading, `main.${quoteIdentifier('sqlite', reading.table)}`, key, primaryKey);
}

function warningsOf({ mayReplace }: SqliteReading, { type }: TableFacts): readonly string[] {
  const warnings: string[] = [];
  if (type === 'view') warnings.push('rows_affected leaves out what INSTEAD OF triggers of the view do.');
  if (mayReplace) {
    warnings.push('Rows removed because another unique value of theirs conflicted are not shown under before.');
  }
  return warnings;
}
