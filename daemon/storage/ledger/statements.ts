/** Writes that are rare enough to be put into SQL by whoever wants them. */

import type { Database } from 'better-sqlite3';

interface WritingStatement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** All or none of them. @returns how many rows each changed. */
export function writeStatements(database: Database, statements: readonly WritingStatement[]): readonly number[] {
  const run = database.transaction(() =>
    statements.map(({ sql, bindings }) => database.prepare(sql).run(...bindings).changes),
  );
  return run.immediate();
}

/** Empties the write-ahead log, where removed rows still stand. */
export function checkpoint(database: Database): void {
  database.pragma('wal_checkpoint(truncate)');
}
