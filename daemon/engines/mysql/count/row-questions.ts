/**
 * The catalog's and the tables' questions of a count, in the statement's own session. Decides
 * nothing; a question that can't be answered is an `Uncounted`.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import { cellsOf } from '../../row-text.ts';
import { literal } from '../dialect/literal.ts';
import type { Session } from '../session.ts';
import type { Ask, ReferencingTable, TableName } from './cascades.ts';

/** How many rows are counted at most of a table, or of one that a foreign key may change. */
export const mostCounted = 10_000;
const mostFollowing = 50_000;
/** A clause on why something can't be counted; row-count.ts catches it. */
export class Uncounted extends Error {}
/** A table that the statement names doesn't exist; the statement's own error says it better. */
export class TableMissing extends Uncounted {}

const unknownTable = 1146;

/** The number of rows for each value. */
export type Values = ReadonlyMap<string, number>;

export interface Changed {
  readonly updated: number;
  readonly deleted: number;
}

export interface Totals extends Changed {
  /** Null if the server doesn't count them (MySQL). */
  readonly triggers: number | null;
  /** Rows written, those of the server's internal tables included. */
  readonly written: number;
  /** Data changes executed, those in triggers and routines included. */
  readonly statements: number;
}

/**
 * Whole rows as text, long values cut. More rows than before, to include added ones. By name, as
 * `*` leaves out invisible columns.
 */
export async function rowsOf(ask: Ask, table: TableName, most: number): Promise<readonly string[]> {
  const found = await ask(columnsQuestion(table));
  const columns = found.map(([name]) => quoteQualified('mysql', null, name ?? '')).join(', ');
  const rows = await ask(`SELECT ${columns === '' ? '*' : columns} FROM ${quoted(table)} LIMIT ${20 * most}`);
  return rows.map(row => JSON.stringify(row));
}

const columnsQuestion = ({ schema, name }: TableName): string =>
  `SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ${literal(schema)} AND TABLE_NAME = ${literal(name)}`;

/**
 * Two statements that each delete half of a table see the other's half in their snapshots. So rows
 * locked by another transaction don't count, and nothing is waited for. Servers before MariaDB 10.6
 * and MySQL 8.0 can't tell.
 */
export async function isEmptyNow(ask: Ask, table: TableName): Promise<boolean> {
  const rows = await ask(`SELECT 1 FROM ${quoted(table)} LIMIT 1 FOR UPDATE SKIP LOCKED`);
  return rows.length === 0;
}

/** Counts up to `most` + 1 rows of each. */
export async function sizesOf(ask: Ask, tables: readonly TableName[], most: number): Promise<number[]> {
  if (tables.length === 0) return [];
  const each = tables.map(table => `(SELECT COUNT(*) FROM (SELECT 1 FROM ${quoted(table)} LIMIT ${most + 1}) AS t)`);
  const [row = []] = await ask(`SELECT ${each.join(', ')}`);
  return row.map(Number);
}

export async function valuesOf(ask: Ask, { columns, ...table }: ReferencingTable): Promise<Values> {
  const names = columns.map(column => quoteQualified('mysql', null, column)).join(', ');
  const inner = `SELECT ${names} FROM ${quoted(table)} LIMIT ${mostFollowing + 1}`;
  const rows = await ask(`SELECT ${names}, COUNT(*) FROM (${inner}) AS t GROUP BY ${names}`);
  const values = new Map(rows.map(row => [JSON.stringify(row.slice(0, -1)), Number(row.at(-1))]));
  let total = 0;
  for (const count of values.values()) total += count;
  if (total <= mostFollowing) return values;
  throw new Uncounted(`${table.schema}.${table.name} has too many rows to tell what its foreign keys change`);
}

const changing = 'insert insert_select replace replace_select load update update_multi delete delete_multi';
const statementCounters = changing.split(' ').map(verb => `Com_${verb}`);
const handled = ['Handler_update', 'Handler_delete', 'Handler_write', 'Handler_tmp_write'];
const counters = [...handled, 'Executed_triggers', ...statementCounters];
const totalsQuestion = `SHOW SESSION STATUS WHERE Variable_name IN ('${counters.join("', '")}')`;

export async function totalsOf(ask: Ask): Promise<Totals> {
  const rows = await ask(totalsQuestion);
  const read = (name: string): number => Number(rows.find(([each]) => each === name)?.[1] ?? Number.NaN);
  const triggers = read('Executed_triggers');
  const totals = {
    updated: read('Handler_update'),
    deleted: read('Handler_delete'),
    // MariaDB counts those of internal tables apart.
    written: read('Handler_write') + (read('Handler_tmp_write') || 0),
    triggers: Number.isNaN(triggers) ? null : triggers,
    statements: statementCounters.reduce((sum, name) => sum + read(name), 0),
  };
  const { updated, deleted, written } = totals;
  if ([updated, deleted, written].every(Number.isSafeInteger)) return totals;
  throw new Uncounted('the server does not tell what its session changed');
}

/** Proves it with two rows of an internal table. */
export async function countersMove(ask: Ask, before: Totals): Promise<boolean> {
  await ask('SELECT 1 UNION SELECT 2');
  return (await totalsOf(ask)).written > before.written;
}

export function asking(session: Session): Ask {
  return async sql => {
    const rows: (string | null)[][] = [];
    const { answer } = await session.query(sql, {
      columns: () => {},
      row: row => {
        rows.push(cellsOf(row).map(cell => (cell === null ? null : String(cell))));
        return true;
      },
    });
    if (answer.kind === 'ok') return rows;
    if (answer.kind !== 'error') throw new Uncounted('the session is gone');
    const why = `the server refused a look at its rows (${answer.message})`;
    throw answer.number === unknownTable ? new TableMissing(why) : new Uncounted(why);
  };
}

export function quoted({ schema, name }: TableName): string {
  return quoteQualified('mysql', schema, name);
}

/**
 * Whether case matters in names depends on the server's files: names that differ by case are taken
 * for one.
 */
export function isSame(one: TableName, other: TableName): boolean {
  return one.schema.toLowerCase() === other.schema.toLowerCase() && one.name.toLowerCase() === other.name.toLowerCase();
}
