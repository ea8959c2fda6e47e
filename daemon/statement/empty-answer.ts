/**
 * What a read without rows may come of: it compares a column with a value that the column doesn't
 * have, as the server's statistics tell. Reads texts; asks nothing itself.
 */

import type { CommonValuesAsked } from '../engines/dialect.ts';
import type { Parameter } from '../engines/engine.ts';
import type { Cell } from '../engines/row-text.ts';
import type { QualifiedName } from '../guard/types.ts';
import { asOfAnalyze, fewValues, mostValues } from './common-values.ts';

/** A column's name in the engine's spelling, and the values that it is compared with. */
export type Comparisons = ReadonlyMap<string, readonly string[]>;

const mostTables = 4;
const mostColumns = 8;
const mostTold = 3;

const value = String.raw`(?:'(?:[^']|''){0,256}'|-?\d[\d.]{0,40}|\$\d{1,4})`;
/** `status = 'x'`, `o."Kind" in ('x', $1)`, `lower(status) like 'x%'`, `kind::text = 'x'`. */
// Pattern excused: each repeat is bounded, and a word begins only where another ends.
const comparison = new RegExp(
  String.raw`(?:"([^"]{1,256})"|(?<![\w$])([A-Za-z_][\w$]{0,127}))(?:::\w{1,64})?\s{0,8}\)?\s{0,8}(?:=|\bi?like\b|\bin\b\s{0,8}\()\s{0,8}(${value}(?:\s{0,8},\s{0,8}${value}){0,63})`,
  'gi',
);
const valuesIn = new RegExp(value, 'g');

/** @returns no column that is compared with another one, or with what is computed. */
export function comparisonsIn(sql: string, parameters: readonly Parameter[]): Comparisons {
  const found = new Map<string, readonly string[]>();
  for (const [, quoted, plain = '', list = ''] of sql.matchAll(comparison)) {
    const column = quoted ?? plain.toLowerCase();
    const values = (list.match(valuesIn) ?? []).map(written => textOf(written, parameters));
    found.set(column, [...(found.get(column) ?? []), ...values]);
  }
  return new Map([...found].slice(0, mostColumns));
}

function textOf(written: string, parameters: readonly Parameter[]): string {
  if (written.startsWith('$')) return String(parameters[Number(written.slice(1)) - 1] ?? '');
  return written.startsWith("'") ? written.slice(1, -1).replaceAll("''", "'") : written;
}

/** @param tables that the statement names. @param schema of those that are named without one. */
export function emptyAsked(
  tables: readonly QualifiedName[],
  comparisons: Comparisons,
  schema: string | null,
): readonly CommonValuesAsked[] {
  if (comparisons.size === 0) return [];
  const places = Map.groupBy(tables.slice(0, mostTables), table => table.schema ?? schema);
  return [...places].map(([place, named]) => ({
    schema: place,
    tables: named.map(({ name }) => name),
    columns: [...comparisons.keys()],
    mostValues,
  }));
}

/** @returns a sentence; null if no column is known to lack what it is compared with. */
export function emptyHint(rows: readonly (readonly Cell[])[], comparisons: Comparisons): string | null {
  const known = fewValues(rows);
  const told = known
    // Of a name in several schemas it isn't known which one was read.
    .filter(({ schema, table }) => known.every(other => other.table !== table || other.schema === schema))
    .filter(({ column, values }) => !(comparisons.get(column) ?? []).some(asked => has(values, asked)))
    .map(({ table, column, values }) => `${table}.${column} has ${values.map(quoted).join(', ')}`);
  return told.length === 0 ? null : `No row: ${told.slice(0, mostTold).join('; ')}, ${asOfAnalyze}.`;
}

/** As LIKE finds it, too: a condition that holds for a value explains no empty answer. */
function has(values: readonly string[], asked: string): boolean {
  const part = asked.replace(/^%/, '').replace(/%$/, '');
  return values.some(known => known === asked || (part !== asked && known.includes(part)));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
