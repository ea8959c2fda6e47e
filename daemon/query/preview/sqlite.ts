/** Plans the preview of an SQLite data change, or says why there is none: what a rollback can't take back isn't run. */

import type { Answer, CallContext, Cell, Database } from '../database.ts';
import { quoteIdentifier } from '../identifiers.ts';
import type { Judging } from '../judging.ts';
import { lookUp } from '../look-up.ts';
import {
  type CommitCheck,
  cascadeWarning,
  done,
  type Plan,
  type Planned,
  planned,
  refusedPlan,
  unsampled,
} from './plan.ts';
import type { SqliteReading } from './sqlite-reading.ts';

/** SQLite's own modules that keep all they hold in tables of the same file. */
const transactionalModules = new Set(['fts3', 'fts4', 'fts5', 'rtree', 'rtree_i32', 'geopoly']);

const tableFacts = `
SELECT t.type, t.wr, s.sql, (SELECT count(*) FROM sqlite_schema AS g WHERE g.type = 'trigger' AND g.tbl_name = t.name COLLATE NOCASE)
FROM pragma_table_list AS t LEFT JOIN sqlite_schema AS s ON s.name = t.name AND s.type IN ('table', 'view')
WHERE t.schema = 'main' AND t.name = ? COLLATE NOCASE`;
const columnFacts = 'SELECT lower(name), pk FROM pragma_table_xinfo(?) ORDER BY pk';
const virtualTables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage = 0";
const cascadeQuestion = `
SELECT DISTINCT t.name FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS f ON f."table" = ? COLLATE NOCASE
WHERE t.schema = 'main' AND t.type = 'table' AND f.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT') ORDER BY 1`;
/** CHECKs aren't deferred: only a foreign key can wait for the commit, and its definition says so. */
const deferredTables =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND lower(sql) LIKE '%deferr%'";

export async function planSqlite(
  judging: Judging,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Planned> {
  const read = await judging.ask(context, 'sqliteReading', sql);
  if (read.kind !== 'done') return { kind: 'failed', failure: read };
  const reading = read.value;
  if (reading === null)
    return refusedPlan('Which table the statement changes can not be told, so it is not previewed.');
  const ask = (question: string, ...parameters: readonly string[]) => lookUp(database, context, question, parameters);
  const [found, columns, virtual, deferred, followers] = await Promise.all([
    ask(tableFacts, reading.table),
    ask(columnFacts, reading.table),
    ask(virtualTables),
    ask(deferredTables),
    ask(cascadeQuestion, reading.table),
  ]);
  if (found.kind !== 'done') return { kind: 'failed', failure: found };
  if (columns.kind !== 'done') return { kind: 'failed', failure: columns };
  if (virtual.kind !== 'done') return { kind: 'failed', failure: virtual };
  if (deferred.kind !== 'done') return { kind: 'failed', failure: deferred };
  if (followers.kind !== 'done') return { kind: 'failed', failure: followers };

  const [type, withoutRowid, definition, triggers] = found.value[0] ?? [];
  const isVirtual = type === 'virtual';
  const reachesOthers = type === 'view' || Number(triggers ?? 0) > 0;
  const suspects = isVirtual ? [[reading.table, definition ?? '']] : reachesOthers ? virtual.value : [];
  const unsafe = suspects.find(([, text]) => !transactionalModules.has(moduleOf(text)));
  if (unsafe !== undefined) {
    return refusedPlan(
      `${String(unsafe[0])} is a virtual table of the module "${moduleOf(unsafe[1])}", which may not take part in a rollback, so the statement is not previewed.`,
    );
  }
  const table = {
    type: String(type ?? ''),
    withoutRowid: Number(withoutRowid ?? 0) === 1,
    columns: columns.value,
    deferred: deferred.value.map(([name]) => String(name)),
    cascades: followers.value.map(([name]) => String(name)),
  };
  const returning = (list: string) => judging.ask(context, 'sqliteWithReturning', sql, reading, list);
  return planned(await planOf(returning, sql, reading, table));
}

function moduleOf(definition: Cell | undefined): string {
  return (/\busing\s+["'`[]?(\w+)/i.exec(String(definition))?.[1] ?? '').toLowerCase();
}

interface TableFacts {
  readonly type: string;
  readonly withoutRowid: boolean;
  readonly columns: readonly (readonly Cell[])[];
  /** Tables of the file with a foreign key that waits for the commit. */
  readonly deferred: readonly string[];
  /** Tables whose foreign keys follow a row that is removed. */
  readonly cascades: readonly string[];
}

/** @param withReturning the statement made to return this list. */
async function planOf(
  withReturning: (list: string) => Promise<Answer<string | null>>,
  sql: string,
  reading: SqliteReading,
  table: TableFacts,
): Promise<Answer<Plan>> {
  const base = {
    ...unsampled,
    verb: reading.verb,
    sql,
    bare: sql,
    ownReturning: reading.ownReturning,
    mayReplace: reading.mayReplace,
    commitCheck: commitCheck(table.deferred),
    warnings: warningsOf(reading, table),
  } as const;
  if (table.type === 'view') return done({ ...base, noSample: 'the target is a view' });
  if (table.type === 'virtual') return done({ ...base, noSample: 'the target is a virtual table' });
  const names = table.columns.map(([name]) => String(name));
  const keyed = table.withoutRowid
    ? table.columns.filter(([, place]) => Number(place) > 0).map(([name]) => String(name))
    : ['rowid', '_rowid_', 'oid'].filter(name => !names.includes(name)).slice(0, 1);
  if (table.type === '' || keyed.length === 0) return done({ ...base, noSample: 'the rows of the table have no key' });
  // An INTEGER PRIMARY KEY is another name for the rowid.
  const aliases = new Set([...keyed, 'rowid', '_rowid_', 'oid', ...primaryKey(table)]);
  const key = keyed.map(name => (table.withoutRowid ? quoteIdentifier('sqlite', name) : name));
  const returning = await withReturning(key.join(', '));
  if (returning.kind !== 'done') return returning;
  if (returning.value === null)
    return done({ ...base, noSample: 'the statement can not be made to return what it changes' });
  return done({
    ...base,
    sql: returning.value,
    adds: 'key',
    target: `main.${quoteIdentifier('sqlite', reading.table)}`,
    key,
    movesKeys: reading.sets === null || reading.sets.some(name => aliases.has(name)),
    noSample: null,
  });
}

function primaryKey({ columns }: TableFacts): readonly string[] {
  return columns.filter(([, place]) => Number(place) > 0).map(([name]) => String(name));
}

function warningsOf({ verb, mayReplace }: SqliteReading, { type, cascades }: TableFacts): readonly string[] {
  const warnings: string[] = [];
  if (type === 'view') warnings.push('rows_affected leaves out what INSTEAD OF triggers of the view do.');
  if (mayReplace) {
    warnings.push('Rows removed because another unique value of theirs conflicted are not shown under before.');
  }
  if (verb === 'delete' || mayReplace) warnings.push(...cascadeWarning(cascades));
  return warnings;
}

function commitCheck(tables: readonly string[]): CommitCheck {
  if (tables.length === 0) return { kind: 'none' };
  const counts = tables.map(name => `(SELECT count(*) FROM pragma_foreign_key_check('${name.replaceAll("'", "''")}'))`);
  return { kind: 'count', sql: `SELECT ${counts.join(' + ')}` };
}
