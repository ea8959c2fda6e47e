/**
 * An SQLite file, opened beside the product by tests: waiting for others' locks, and with what the
 * driver needs three calls for.
 */

import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from 'node:sqlite';

export class SqliteFile extends DatabaseSync {
  constructor(path: string, options: DatabaseSyncOptions = {}) {
    super(path, { timeout: 5_000, ...options });
  }

  /** Of the first row the first column. */
  value(sql: string, ...given: readonly SQLInputValue[]): unknown {
    return Object.values(this.prepare(sql).get(...given) ?? {})[0];
  }

  /** Of all rows the first column. */
  values(sql: string, ...given: readonly SQLInputValue[]): unknown[] {
    return this.prepare(sql)
      .all(...given)
      .map(row => Object.values(row)[0]);
  }

  /** As arrays, integers exact. */
  rows(sql: string): unknown[][] {
    const statement = this.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement.all() as unknown as unknown[][];
  }
}

/** Opens it, executes, closes it. */
export function executeOn(path: string, sql: string): void {
  const database = new SqliteFile(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
