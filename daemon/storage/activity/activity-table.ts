/**
 * Reads and changes the `activity` table in the chain's order, on the calling thread's connection.
 */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { ownValue, queryOn } from '../../sqlite/query.ts';
import { type ChainMark, type HeadCopy, storedMac } from './chain.ts';
import type { StoredRow } from './row.ts';

/** What a start finds in the table, to compare with the secrets. */
export interface ChainLook {
  readonly end: ChainMark | null;
  readonly firstNumber: number | null;
  readonly copy: HeadCopy | null;
}

export function lookAtChain(database: DatabaseSync): ChainLook {
  const first = queryOn(database, 'select number from activity order by number limit 1').value();
  return {
    end: endOfTable(database),
    firstNumber: typeof first === 'number' ? first : null,
    copy: headCopy(database),
  };
}

export function headCopy(database: DatabaseSync): HeadCopy | null {
  const copy = queryOn(database, 'select head, seal from activity_head where id = 1').first();
  return (copy as HeadCopy | undefined) ?? null;
}

export function endOfTable(database: DatabaseSync): ChainMark | null {
  const row = queryOn(database, 'select number, mac from activity order by number desc limit 1').first() as
    | ChainMark
    | undefined;
  return row === undefined ? null : { number: row.number, mac: storedMac(row) };
}

/** Rows that divide a range into equal parts; fewer if rows are missing. */
export function marksBetween(database: DatabaseSync, after: number, upTo: number, parts: number): readonly ChainMark[] {
  const nearest = queryOn(
    database,
    'select number, mac from activity where number > ? and number <= ? order by number desc limit 1',
  );
  const marks: ChainMark[] = [];
  for (let part = 1; part < parts; part += 1) {
    const place = after + Math.floor(((upTo - after) * part) / parts);
    const row = nearest.first(marks.at(-1)?.number ?? after, place) as ChainMark | undefined;
    if (row !== undefined) marks.push({ number: row.number, mac: storedMac(row) });
  }
  return marks;
}

const columns = [
  'number',
  'time',
  'kind',
  'attempt',
  'category',
  'action',
  'outcome',
  'principal',
  'token_name',
  'client',
  'connection_id',
  'connection_name',
  'statement_hash',
  'rows',
  'duration_milliseconds',
  'reason',
  'standing',
  'request_id',
  'count',
  'previous',
  'mac',
] as const satisfies readonly (keyof StoredRow)[];

const insertion = `insert into activity (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;

export function insertRows(database: DatabaseSync, rows: readonly StoredRow[]): void {
  const statement = database.prepare(insertion);
  for (const row of rows) statement.run(...columns.map((column): SQLInputValue => row[column]));
}

/**
 * The rows after one number up to another, in order. The connection is busy meanwhile. An edited
 * table may hold any type in any column.
 */
export function* rowsBetween(database: DatabaseSync, after: number, upTo: number): Generator<StoredRow> {
  const statement = database.prepare(
    `select ${columns.join(', ')} from activity where number > ? and number <= ? order by number`,
  );
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  // V8 stores an object that begins with all its keys as fields; one that grows by computed keys
  // becomes a hash table.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map(column => [column, null]));
  for (const values of statement.iterate(after, upTo) as unknown as Iterable<readonly SQLOutputValue[]>) {
    const row = { ...blank };
    for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = ownValue(values[at] ?? null);
    yield row as unknown as StoredRow;
  }
}

/** @returns how many were deleted; `most` if there may be more. */
export function deleteBetween(database: DatabaseSync, after: number, upTo: number, most: number): number {
  const some = 'select number from activity where number > ? and number <= ? order by number limit ?';
  return Number(database.prepare(`delete from activity where number in (${some})`).run(after, upTo, most).changes);
}
