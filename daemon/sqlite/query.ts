/**
 * What our own code reads from a database: integers as numbers and bytes as a Buffer. The driver
 * alone throws at an integer beyond 2^53, which whoever edits a file may put anywhere; here it is
 * rounded.
 */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

export type OwnValue = string | number | Buffer | null;

interface Query {
  all(...given: readonly SQLInputValue[]): Record<string, OwnValue>[];
  first(...given: readonly SQLInputValue[]): Record<string, OwnValue> | undefined;
  /** Of the first row the first column. */
  value(...given: readonly SQLInputValue[]): OwnValue | undefined;
}

export function queryOn(database: DatabaseSync, sql: string): Query {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const first = (...given: readonly SQLInputValue[]) => {
    const row = statement.get(...given);
    return row === undefined ? undefined : ownRow(row);
  };
  return {
    first,
    all: (...given) => statement.all(...given).map(ownRow),
    value: (...given) => Object.values(first(...given) ?? {})[0],
  };
}

function ownRow(row: Record<string, SQLOutputValue>): Record<string, OwnValue> {
  const own: Record<string, OwnValue> = {};
  for (const [name, value] of Object.entries(row)) own[name] = ownValue(value);
  return own;
}

export function ownValue(value: SQLOutputValue): OwnValue {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
