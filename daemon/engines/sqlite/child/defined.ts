/**
 * Reads from the file what a definition did to its schema, in the definition's transaction. Judges
 * nothing.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { AlteredTable, ColumnFact, Defined, KeyFact, SchemaRow } from '../../../guard/sqlite/defined/facts.ts';
import { leadingWord } from './leading-word.ts';
import { type Prepared, rowsOf } from './prepared.ts';
import type { AddedTo } from './protocol.ts';
import type { Handle } from './session.ts';
import { changesOf, refusesWrites, usesIn } from './uses.ts';

/** Call it in the transaction once the statement has ended. */
export type LookAfter = () => Defined;

const defining = new Set(['alter', 'analyze', 'create', 'drop']);

/** @returns null for what defines nothing. */
export function lookBefore(handle: Handle, { source, writes }: Prepared): LookAfter | null {
  if (!defining.has(leadingWord(source))) return null;
  const version = versionOf(handle);
  const before = schemaRows(handle);
  const named = writes.filter(({ act: [action], schema }) => action === 'ALTER_TABLE' && schema === 'main');
  const tables = [...new Set(named.map(({ act: [, name] }) => name))].map(name => ({
    name,
    was: tableOf(handle, name),
  }));
  const uses = tables.length === 0 ? [] : usesIn(handle, [...before.values()]);
  return () => {
    const after = schemaRows(handle);
    const added = [...after].filter(([key]) => !before.has(key)).map(([, row]) => row);
    const changed = [...before].flatMap(([key, row]) => {
      const now = after.get(key);
      return now === undefined || JSON.stringify(now) === JSON.stringify(row) ? [] : [{ before: row, after: now }];
    });
    const altered = tables.map(({ name, was }) => alteredTable(handle, name, was, [...before.values()]));
    const owners = new Set(added.map(({ schema, table }) => keyOf({ schema, type: 'table', name: table })));
    return {
      version: { before: version, after: versionOf(handle) },
      gone: [...before].filter(([key]) => !after.has(key)).map(([, row]) => row),
      changed,
      added,
      addedTo: [...owners].flatMap(key => before.get(key) ?? []),
      altered,
      unwritable: unwritable(handle, added, altered, before),
      takenAsParts: takenAsParts(handle, added, before),
      uses: changesOf(handle, uses),
    };
  };
}

/** @param rows SQLite's count of the statement itself, without its triggers. */
export function rowsAdded(handle: Handle, { writes }: Prepared, rows: number | null): AddedTo | null {
  const [first] = writes;
  if (first?.act[0] !== 'INSERT' || first.schema !== 'main' || rows === null || rows === 0) return null;
  const [, table] = first.act;
  const ofTable = "select sql from main.sqlite_schema where type = 'table' and name = ?";
  const [[sql = null] = []] = rowsOf(handle, ofTable, table);
  return { table, sql: sql === null ? null : String(sql), version: versionOf(handle), rows };
}

function versionOf(handle: Handle): number {
  return Number(rowsOf(handle, 'pragma main.schema_version')[0]?.[0]);
}

function schemaRows(handle: Handle): ReadonlyMap<string, SchemaRow> {
  const rows = rowsOf(
    handle,
    `select 'main', type, name, tbl_name, sql from main.sqlite_schema
     union all select 'temp', type, name, tbl_name, sql from temp.sqlite_temp_schema`,
  ).map(
    ([schema, type, name, table, sql]): SchemaRow => ({
      schema: schema === 'main' ? 'main' : 'temp',
      type: String(type),
      name: String(name),
      table: String(table),
      sql: sql === null ? null : String(sql),
    }),
  );
  return new Map(rows.map(row => [keyOf(row), row]));
}

function keyOf({ schema, type, name }: Pick<SchemaRow, 'schema' | 'type' | 'name'>): string {
  return JSON.stringify([schema, type, name.toLowerCase()]);
}

interface TableFacts {
  readonly columns: readonly ColumnFact[];
  readonly keys: readonly KeyFact[];
}

function tableOf(handle: Handle, table: string): TableFacts {
  const columns = rowsOf(
    handle,
    `select name, type, "notnull", dflt_value, hidden, pk from temp.pragma_table_xinfo(?, 'main') order by cid`,
    table,
  ).map(
    ([name, type, takesNoNull, given, hidden, keyPlace]): ColumnFact => ({
      name: String(name),
      type: String(type),
      takesNoNull: takesNoNull !== 0n,
      default: given === null ? null : String(given),
      hidden: Number(hidden),
      keyPlace: Number(keyPlace),
    }),
  );
  return { columns, keys: keysOf(handle, table) };
}

function keysOf(handle: Handle, table: string): readonly KeyFact[] {
  return rowsOf(
    handle,
    `select "from", "table", on_update, on_delete from temp.pragma_foreign_key_list(?, 'main') order by "from", "table"`,
    table,
  ).map(
    ([column, refersTo, onUpdate, onDelete]): KeyFact => ({
      column: String(column),
      refersTo: String(refersTo),
      onUpdate: String(onUpdate),
      onDelete: String(onDelete),
    }),
  );
}

/**
 * SQLite takes a key that refers to no table, and a table that lacks the key which others refer
 * to. Writes fail then: to the key's own table, and to all from which a cascade leads there.
 */
function unwritable(
  handle: Handle,
  added: readonly SchemaRow[],
  altered: readonly AlteredTable[],
  before: ReadonlyMap<string, SchemaRow>,
): readonly SchemaRow[] {
  const made = added.filter(({ schema, type }) => schema === 'main' && type === 'table');
  const changed = altered.filter(({ newKeys }) => newKeys.length > 0);
  const concerned = new Set([...made, ...changed].map(({ name }) => name.toLowerCase()));
  for (const name of concerned) for (const { refersTo } of keysOf(handle, name)) concerned.add(refersTo.toLowerCase());
  return [...concerned]
    .flatMap(name => before.get(keyOf({ schema: 'main', type: 'table', name })) ?? [])
    .filter(({ name }) => refusesWrites(handle, name));
}

function alteredTable(handle: Handle, name: string, was: TableFacts, before: readonly SchemaRow[]): AlteredTable {
  const now = tableOf(handle, name);
  const [strict] = rowsOf(handle, `select strict from temp.pragma_table_list(?) where schema = 'main'`, name).flat();
  const had = new Set(was.keys.map(key => JSON.stringify(key)));
  const names = new Set(was.columns.map(column => column.name));
  const added = now.columns.filter(column => !names.has(column.name));
  return {
    name,
    isStrict: strict === 1n,
    before: was.columns,
    after: now.columns,
    newKeys: now.keys.filter(key => !had.has(JSON.stringify(key))),
    writtenAsText: added.map(column => column.name).filter(text => isWritten(handle, text, name, was, before)),
  };
}

/** Rows that are looked through for a text. */
const mostRows = 10_000;

/** True if the text stands in the table's rows, or in quotes in a definition. */
function isWritten(
  handle: Handle,
  text: string,
  table: string,
  { columns }: TableFacts,
  definitions: readonly SchemaRow[],
): boolean {
  const quoted = `'${text.replaceAll("'", "''")}'`.toLowerCase();
  if (definitions.some(({ sql }) => sql?.toLowerCase().includes(quoted) === true)) return true;
  const named = columns.map(({ name }) => quoteIdentifier('sqlite', name));
  const found = `select 1 from (select ${named.join(', ')} from main.${quoteIdentifier('sqlite', table)} limit ${mostRows})
    where ?1 collate nocase in (${named.join(', ')}) limit 1`;
  return named.length > 0 && rowsOf(handle, found, text).length > 0;
}

function takenAsParts(
  handle: Handle,
  added: readonly SchemaRow[],
  before: ReadonlyMap<string, SchemaRow>,
): readonly string[] {
  const virtual = added.filter(({ type, sql }) => type === 'table' && /^create\s+virtual\b/i.test(sql ?? ''));
  if (virtual.length === 0) return [];
  const shadows = rowsOf(handle, `select schema, name from temp.pragma_table_list where type = 'shadow'`);
  return shadows
    .map(([schema, name]) => ({
      schema: schema === 'temp' ? ('temp' as const) : ('main' as const),
      name: String(name),
    }))
    .filter(
      ({ schema, name }) =>
        before.has(keyOf({ schema, type: 'table', name })) &&
        virtual.some(made => made.schema === schema && name.toLowerCase().startsWith(`${made.name.toLowerCase()}_`)),
    )
    .map(({ name }) => name);
}
