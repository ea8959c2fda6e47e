/**
 * Reads from a database for our own code: integers as numbers, bytes as a Buffer. The driver throws
 * at integers beyond 2^53, which anybody may put into a file; here they are rounded.
 */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

export type OwnValue = string | number | Buffer | null;

interface Query {
  all(...given: readonly SQLInputValue[]): Record<string, OwnValue>[];
  first(...given: readonly SQLInputValue[]): Record<string, OwnValue> | undefined;
  /** The first column of the first row. */
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
