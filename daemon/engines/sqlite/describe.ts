/**
 * Describes tables and views of an SQLite file, from PRAGMA functions, `sqlite_schema` and
 * `sqlite_stat1`.
 */

import { quoteIdentifier } from '../../guard/identifiers.ts';
import { answering } from '../answering.ts';
import type { Answer, Index, TableColumn, TableDescription } from '../engine.ts';
import { columnsOf } from './describe/columns.ts';
import { commentsOf } from './describe/comments.ts';
import { type Constraints, constraintsIn } from './describe/constraints.ts';
import { foreignKeysOf, referencesTo } from './describe/foreign-keys.ts';
import { type LookUp, numberOrNull, text, textOrNull } from './look-up.ts';
import { analysedRowCounts, kinds, type Schema, schemaOf } from './schema.ts';

/** Table by table: a file has no round trips to save. */
export function describeTables(
  lookUp: LookUp,
  schemaName: string | null,
  names: readonly string[],
): Promise<Answer<readonly (TableDescription | null)[]>> {
  const schema = schemaOf(schemaName);
  return answering(async () => {
    const tables: (TableDescription | null)[] = [];
    for (const name of names) tables.push(await describeTable(lookUp, schema, name));
    return tables;
  });
}

async function describeTable(lookUp: LookUp, schema: Schema, wanted: string): Promise<TableDescription | null> {
  const [found] = await lookUp(
    `select t.name, t.type, t.strict, s.sql from temp.pragma_table_list as t
       left join ${schema}.sqlite_schema as s on s.name = t.name and s.type in ('table', 'view')
       where t.schema = ? and t.name = ? collate nocase`,
    schema,
    wanted,
  );
  if (!found) return null;
  const name = text(found[0]);
  const isTable = found[1] === 'table';
  const constraints = constraintsIn(isTable ? text(found[3]) : '');
  const columns = await columnsOf(lookUp, schema, { name, isTable, constraints });
  const comments = isTable ? commentsOf(text(found[3])) : null;
  const indexes = await indexesOf(lookUp, schema, name, constraints);
  const size = await measure(lookUp, schema, name, text(found[1]));
  const analysed = (await analysedRowCounts(lookUp, schema)).get(name.toLowerCase()) ?? null;
  return {
    name,
    schema,
    kind: kinds[text(found[1])] ?? 'other',
    comment: comments?.table ?? columns.untold,
    columns: columns.columns.map(column => ({
      ...column,
      comment: comments?.columns.get(column.name.toLowerCase()) ?? null,
    })),
    primaryKey: columns.primaryKey,
    foreignKeys: await foreignKeysOf(lookUp, schema, name, constraints),
    referencedBy: await referencesTo(lookUp, schema, name),
    indexes: [...rowidRule(columns.columns, constraints), ...indexes],
    checks: constraints.checks,
    ...(found[2] === 1 && { isStrict: true }),
    triggers: await triggersOf(lookUp, schema, name),
    partitioning: null,
    ddl: await ddlOf(lookUp, schema, name),
    approximateRowCount: size.rowCount ?? analysed,
    isCounted: size.rowCount !== null,
    sizeBytes: size.bytes,
  };
}

async function indexesOf(
  lookUp: LookUp,
  schema: Schema,
  table: string,
  { columns: made, rules }: Constraints,
): Promise<readonly Index[]> {
  const rows = await lookUp(
    `select l.name, l."unique", s.sql, json_group_array(json_array(coalesce(x.name, '(expression)'), x.coll) order by x.seqno)
     from temp.pragma_index_list(?, ?) as l
     join temp.pragma_index_xinfo(l.name, ?) as x on x.key = 1
     left join ${schema}.sqlite_schema as s on s.type = 'index' and s.name = l.name
     group by l.seq order by l.name`,
    table,
    schema,
    schema,
  );
  return rows.map(([name, unique, definition, keys]) => {
    const columns = JSON.parse(text(keys)) as (readonly [name: string, collation: string])[];
    const names = columns.map(([column]) => column.toLowerCase()).join('\n');
    const rule = rules.find(({ kind, columns: of, state }) => kind === 'key' && state && of.join('\n') === names);
    // A definition tells its collations; a constraint's index may have others than its columns.
    const isOwn = ([column, collation]: (typeof columns)[number]) =>
      collation.toLowerCase() === (made.get(column.toLowerCase())?.collation ?? 'binary').toLowerCase();
    return {
      name: text(name),
      columns: columns.map(key => (definition !== null || isOwn(key) ? key[0] : `${key[0]} collate ${key[1]}`)),
      unique: unique === 1,
      method: 'btree',
      definition: textOrNull(definition),
      ...(definition === null && rule !== undefined && { state: rule.state }),
    };
  });
}

/** A key that is the rowid has no index, and so no other place for what its definition adds. */
function rowidRule(columns: readonly TableColumn[], { rules }: Constraints): readonly Index[] {
  const rowid = columns.find(({ generated, primaryKey }) => primaryKey && generated === 'by_default');
  const name = rowid?.name.toLowerCase();
  const rule = rules.find(
    ({ kind, columns: of, state }) => kind === 'key' && state && of.length === 1 && of[0] === name,
  );
  return rowid === undefined || rule === undefined
    ? []
    : [{ name: 'rowid', columns: [rowid.name], unique: true, method: 'btree', definition: null, state: rule.state }];
}

async function triggersOf(lookUp: LookUp, schema: Schema, table: string) {
  const rows = await lookUp(
    `select name, sql from ${schema}.sqlite_schema where type = 'trigger' and tbl_name = ? collate nocase order by name`,
    table,
  );
  return rows.map(([name, sql]) => ({ name: text(name), definition: text(sql) }));
}

/**
 * The table or view, its indexes and its triggers, each as it was created; null for a table of
 * SQLite's own.
 */
async function ddlOf(lookUp: LookUp, schema: Schema, table: string): Promise<string | null> {
  const rows = await lookUp(
    `select sql from ${schema}.sqlite_schema where tbl_name = ? collate nocase and sql is not null
     order by type not in ('table', 'view'), type, rowid`,
    table,
  );
  return rows.length === 0 ? null : rows.map(([sql]) => beforeSemicolon(text(sql))).join(';\n');
}

/** If the last line ends with a comment, the semicolon would become part of it. */
function beforeSemicolon(sql: string): string {
  return sql.slice(sql.lastIndexOf('\n') + 1).includes('--') ? `${sql}\n` : sql;
}

/** Rows and bytes are counted only in small files: both read every page of the table. */
const cheapFileBytes = 64 * 1024 * 1024;

interface TableSize {
  readonly rowCount: number | null;
  /** The table and its indexes, whole pages. */
  readonly bytes: number | null;
}

async function measure(lookUp: LookUp, schema: string, table: string, type: string): Promise<TableSize> {
  if (type !== 'table' || schema !== 'main') return { rowCount: null, bytes: null };
  const [file] = await lookUp('select page_count * page_size from temp.pragma_page_count(), temp.pragma_page_size()');
  if ((numberOrNull(file?.[0]) ?? Number.POSITIVE_INFINITY) > cheapFileBytes) return { rowCount: null, bytes: null };
  // An index of another program's own kind may be empty to SQLite.
  const [count] = await lookUp(`select count(*) from main.${quoteIdentifier('sqlite', table)} not indexed`);
  const [bytes] = await lookUp(
    `select sum(d.pgsize) from main.sqlite_schema as s
     join temp.dbstat as d on d.name = s.name and d.schema = 'main' and d.aggregate = true
     where s.tbl_name = ? and s.type in ('table', 'index')`,
    table,
  );
  return { rowCount: numberOrNull(count?.[0]), bytes: numberOrNull(bytes?.[0]) };
}
