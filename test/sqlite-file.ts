/**
 * An SQLite file that tests open outside the product: it waits for others' locks and offers in one
 * call what the driver needs three for.
 */

import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue } from 'node:sqlite';

export class SqliteFile extends DatabaseSync {
  constructor(path: string, options: DatabaseSyncOptions = {}) {
    super(path, { timeout: 5_000, ...options });
  }

  /** The first column of the first row. */
  value(sql: string, ...given: readonly SQLInputValue[]): unknown {
    return Object.values(this.prepare(sql).get(...given) ?? {})[0];
  }

  /** The first column of all rows. */
  values(sql: string, ...given: readonly SQLInputValue[]): unknown[] {
    return this.prepare(sql)
      .all(...given)
      .map(row => Object.values(row)[0]);
  }

  /** Rows as arrays, with exact integers. */
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
