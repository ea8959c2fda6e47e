/**
 * What a read without rows may come of: it compares a column with a value that the column doesn't
 * have, as the server's statistics or the table's first rows tell. Reads texts; asks nothing
 * itself.
 */

import type { CommonValuesAsked, Dialect } from '../engines/dialect.ts';
import type { Parameter } from '../engines/engine.ts';
import type { Cell } from '../engines/row-text.ts';
import type { QualifiedName } from '../guard/types.ts';
import { firstValuesSql, rowsLookedAt, valuesOf } from './column-values.ts';
import { asOfAnalyze, type FewValues, fewValues, mostValues } from './common-values.ts';
import { looksSecret } from './secret-columns.ts';

interface Compared {
  readonly values: readonly string[];
  /** True if one was written without quotes, or bound as a number: values are told so, too. */
  readonly isBare: boolean;
}

/** What each column is compared with, by its name in the engine's spelling. */
export type Comparisons = ReadonlyMap<string, Compared>;

const mostTables = 4;
const mostColumns = 8;
const mostTold = 3;

const value = String.raw`(?:'(?:[^']|''){0,256}'|-?\d[\d.]{0,40}|\$\d{1,4}|\?)`;
/** `status = 'x'`, `o."Kind" in ('x', $1)`, `lower(status) like ?`, `kind::text = 'x'`. */
// Pattern excused: each repeat is bounded, and a word begins only where another ends.
const comparison = new RegExp(
  String.raw`(?:["\`]([^"\`]{1,256})["\`]|(?<![\w$])([A-Za-z_][\w$]{0,127}))(?:::\w{1,64})?\s{0,8}\)?\s{0,8}(?:=|\bi?like\b|\bin\b\s{0,8}\()\s{0,8}(${value}(?:\s{0,8},\s{0,8}${value}){0,63})`,
  'gi',
);
const valuesIn = new RegExp(value, 'g');

/** @returns no column that is compared with another one, or with what is computed. */
export function comparisonsIn(sql: string, parameters: readonly Parameter[]): Comparisons {
  const found = new Map<string, Compared>();
  const marks = [...sql.matchAll(/'[^']*'|\?/g)].filter(([text]) => text === '?').map(({ index }) => index);
  for (const { 0: whole, 1: quoted, 2: plain = '', 3: list = '', index } of sql.matchAll(comparison)) {
    const start = index + whole.length - list.length;
    const values = [...list.matchAll(valuesIn)].map(({ 0: written, index: at }) =>
      comparedValue(written, parameters, marks.indexOf(start + at)),
    );
    const column = quoted ?? plain.toLowerCase();
    const before = found.get(column);
    found.set(column, {
      values: [...(before?.values ?? []), ...values.map(({ text }) => text)],
      isBare: before?.isBare === true || values.some(({ isBare }) => isBare),
    });
  }
  return new Map([...found].slice(0, mostColumns));
}

/** @param mark which `?` it is. */
function comparedValue(
  written: string,
  parameters: readonly Parameter[],
  mark: number,
): { readonly text: string; readonly isBare: boolean } {
  if (written.startsWith("'")) return { text: written.slice(1, -1).replaceAll("''", "'"), isBare: false };
  if (written !== '?' && !written.startsWith('$')) return { text: written, isBare: true };
  const bound = parameters[written === '?' ? mark : Number(written.slice(1)) - 1] ?? '';
  return { text: String(bound), isBare: typeof bound === 'number' };
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
  // Of a name in several schemas it isn't known which one was read.
  const certain = known.filter(({ schema, table }) =>
    known.every(other => other.table !== table || other.schema === schema),
  );
  return sentence(certain, comparisons, `, ${asOfAnalyze}`, { equal: asWritten, like: asWritten });
}

/** One read of first rows. Of several tables it isn't known which one has a column. */
export interface FirstRead {
  readonly table: string;
  readonly columns: readonly string[];
  readonly sql: string;
}

/** What is asked where statistics don't tell; null if nothing is to be asked. */
export function firstRowsAsked(
  dialect: Dialect,
  tables: readonly QualifiedName[],
  comparisons: Comparisons,
): FirstRead | null {
  const [table, another] = tables;
  const columns = [...comparisons.keys()].filter(column => !looksSecret(column));
  if (table === undefined || another !== undefined || columns.length === 0) return null;
  return { table: table.name, columns, sql: firstValuesSql(dialect, table, columns) };
}

/** Tells of first rows what {@link emptyHint} tells of statistics. */
export function firstRowsHint(
  { table, columns }: FirstRead,
  rows: readonly (readonly Cell[])[],
  comparisons: Comparisons,
  foldsCase: boolean,
): string | null {
  const known = Object.entries(valuesOf(columns, rows)).map(([column, values]) => ({ table, column, values }));
  const asked = ` in the first ${rowsLookedAt} rows`;
  return sentence(known, comparisons, asked, { equal: foldsCase ? inOneCase : asWritten, like: inOneCase });
}

/** How the server changes both texts before it compares them. */
interface Folds {
  readonly equal: (text: string) => string;
  readonly like: (text: string) => string;
}

const asWritten = (text: string): string => text;

/** Folds a text as MySQL's collations that end in `_ci` do. */
const inOneCase = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();

function sentence(
  known: readonly Omit<FewValues, 'schema'>[],
  comparisons: Comparisons,
  source: string,
  folds: Folds,
): string | null {
  const told = known
    .map(of => ({ ...of, asked: comparisons.get(of.column) }))
    .filter(({ asked, values }) => asked?.values.some(one => has(values, one, folds)) !== true)
    .map(({ table, column, values, asked }) => {
      const isBare = asked?.isBare === true && values.every(each => number.test(each));
      return `${table}.${column} has ${(isBare ? inOrder(values) : values.map(quoted)).join(', ')}`;
    });
  return told.length === 0 ? null : `No row: ${told.slice(0, mostTold).join('; ')}${source}.`;
}

const inOrder = (numbers: readonly string[]) => numbers.toSorted((a, b) => Number(a) - Number(b));
const number = /^-?\d+(?:\.\d+)?$/;

/** True also if LIKE finds it: a condition that holds for a value explains no empty answer. */
function has(values: readonly string[], asked: string, { equal, like }: Folds): boolean {
  const part = asked.replace(/^%/, '').replace(/%$/, '');
  return values.some(known => equal(known) === equal(asked) || (part !== asked && like(known).includes(like(part))));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
