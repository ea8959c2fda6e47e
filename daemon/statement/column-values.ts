/**
 * The few values of a table's columns: what the server's statistics know, and the one read that
 * tells the others. Chooses columns and reads answers; runs nothing.
 */

import type { CommonValuesAsked, Dialect } from '../engines/dialect.ts';
import type { TableColumn, TableDescription } from '../engines/engine.ts';
import { mayRead, quotedName } from '../engines/object-name.ts';
import type { Cell } from '../engines/row-text.ts';
import type { QualifiedName } from '../guard/types.ts';
import { asOfAnalyze, fewValues, longestValue, mostValues } from './common-values.ts';
import { looksSecret } from './secret-columns.ts';

const mostColumns = 12;
/** Only the beginning of a large table is read: this must be cheap. */
export const rowsLookedAt = 10_000;
export const mostValueRows = mostColumns * (mostValues + 1);
/** A wider table's first columns tell enough, and their names fit into a statement. */
const mostAskedOf = 300;
/** Each column has statistics of the table alone, and with its partitions. */
export const mostStatistics = 2 * mostAskedOf;

const categories =
  /^(?:char|character|varchar|character varying|bpchar|text|tinytext|tinyint|smallint|boolean|bool|int2|citext|nvarchar|)(?:\(|$|\s)/i;
const named =
  /(?:status|state|kind|type|category|class|level|code|flag|role|mode|reason|currency|country|lang|gender|tier|plan|channel)/i;

type Values = Readonly<Record<string, readonly string[]>>;

/** What statistics are asked about; null if no column is left. */
export function statisticsAsked({ schema, name, columns }: TableDescription): CommonValuesAsked | null {
  const asked = columns.filter(isTold).slice(0, mostAskedOf);
  return asked.length === 0 ? null : { schema, tables: [name], columns: asked.map(column => column.name), mostValues };
}

/** The values by column, as the statistics have them. */
export function statisticsSay(table: TableDescription, rows: readonly (readonly Cell[])[]): Values {
  const known = new Map(fewValues(rows).map(({ column, values }) => [column, values]));
  const told = table.columns
    .filter(({ name }) => known.has(name))
    .toSorted(likeliestFirst)
    .slice(0, mostColumns);
  return Object.fromEntries(told.map(({ name, type }) => [name, (known.get(name) ?? []).map(asCast(type))]));
}

/** In an array PostgreSQL writes a boolean as a letter. */
function asCast(type: string): (value: string) => string {
  return value => (type === 'boolean' ? String(value === 't') : value);
}

function isTold(column: TableColumn): boolean {
  return column.allowedValues === null && mayRead(column) && !looksSecret(column.name);
}

function likeliestFirst(a: TableColumn, b: TableColumn): number {
  return Number(named.test(b.name)) - Number(named.test(a.name));
}

/**
 * @param known columns whose values are known already.
 * @returns null if no other column looks like a category.
 */
export function valuesQuestion(
  dialect: Dialect,
  table: TableDescription,
  known: Values,
): { readonly sql: string; readonly columns: readonly string[] } | null {
  const keys = new Set(
    [
      ...table.primaryKey,
      ...table.foreignKeys.flatMap(key => key.columns),
      ...table.indexes.filter(index => index.unique && index.columns.length === 1).flatMap(index => index.columns),
    ].map(name => name.toLowerCase()),
  );
  const columns = table.columns
    .filter(
      column =>
        isTold(column) &&
        !Object.hasOwn(known, column.name) &&
        !keys.has(column.name.toLowerCase()) &&
        categories.test(column.type),
    )
    .toSorted(likeliestFirst)
    .slice(0, mostColumns - Object.keys(known).length)
    .map(column => column.name);
  if (columns.length === 0) return null;
  return { sql: firstValuesSql(dialect, table, columns), columns };
}

/** What `valuesOf` reads; it can't be dear, whatever the table's size. */
export function firstValuesSql(
  dialect: Dialect,
  { schema, name: table }: QualifiedName,
  columns: readonly string[],
): string {
  const from = quotedName(dialect, schema, table);
  const parts = columns.map((name, at) => {
    const column = dialect.quote(name);
    return `SELECT ${at} AS place, v FROM (SELECT DISTINCT CAST(s.c AS ${dialect.textType}) AS v FROM (SELECT ${column} AS c FROM ${from} LIMIT ${rowsLookedAt}) AS s WHERE s.c IS NOT NULL LIMIT ${mostValues + 1}) AS d${at}`;
  });
  return parts.join(' UNION ALL ');
}

/** The sorted values by column; without columns that have many or long values. */
export function valuesOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): Values {
  const found = columns.map((name, at) => {
    const values = rows.filter(([place]) => Number(place) === at).map(([, value]) => String(value));
    return [name, values.toSorted()] as const;
  });
  return Object.fromEntries(
    found.filter(
      ([, values]) =>
        values.length > 0 && values.length <= mostValues && values.every(value => value.length <= longestValue),
    ),
  );
}

/** Where the values are from, unless all of the table's rows were just read; null then. */
export function sourceOf(table: TableDescription, known: Values, read: Values): string | null {
  const ofRead = Object.keys(read);
  const isWhole = (table.approximateRowCount ?? rowsLookedAt) < rowsLookedAt;
  const first = isWhole || ofRead.length === 0 ? null : `the first ${rowsLookedAt} rows`;
  if (Object.keys(known).length === 0) return first;
  if (ofRead.length === 0) return asOfAnalyze;
  return `${asOfAnalyze}; of ${ofRead.join(', ')} ${first ?? 'all rows'}`;
}
