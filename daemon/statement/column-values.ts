/**
 * The few values of a column: which columns look as if they had few, and the one read that tells.
 */

import type { Dialect } from '../engines/dialect.ts';
import type { TableDescription } from '../engines/engine.ts';
import { quotedName } from '../engines/object-name.ts';
import type { Cell } from '../engines/row-text.ts';

const mostColumns = 12;
const mostValues = 20;
const longestValue = 60;
/** Only the beginning of a large table is read: this must be cheap. */
export const rowsLookedAt = 10_000;

const categories =
  /^(?:char|character|varchar|character varying|bpchar|text|tinytext|tinyint|smallint|boolean|bool|int2|citext|nvarchar|)(?:\(|$|\s)/i;
const named =
  /(?:status|state|kind|type|category|class|level|code|flag|role|mode|reason|currency|country|lang|gender|tier|plan|channel)/i;

/** @returns null if no column looks like a category. */
export function valuesQuestion(
  dialect: Dialect,
  table: TableDescription,
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
      column => !keys.has(column.name.toLowerCase()) && column.allowedValues === null && categories.test(column.type),
    )
    .toSorted((a, b) => Number(named.test(b.name)) - Number(named.test(a.name)))
    .slice(0, mostColumns)
    .map(column => column.name);
  if (columns.length === 0) return null;
  const from = quotedName(dialect, table.schema, table.name);
  const parts = columns.map((name, at) => {
    const column = dialect.quote(name);
    return `SELECT ${at} AS place, v FROM (SELECT DISTINCT CAST(s.c AS ${dialect.textType}) AS v FROM (SELECT ${column} AS c FROM ${from} LIMIT ${rowsLookedAt}) AS s WHERE s.c IS NOT NULL LIMIT ${mostValues + 1}) AS d${at}`;
  });
  return { sql: parts.join(' UNION ALL '), columns };
}

/** By column, sorted; without columns that have many or long values. */
export function valuesOf(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Readonly<Record<string, readonly string[]>> {
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

export const mostValueRows = mostColumns * (mostValues + 1);
