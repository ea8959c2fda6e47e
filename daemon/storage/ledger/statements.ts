/** Writes that are rare enough to be put into SQL by whoever wants them. */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction } from '../../sqlite/open-file.ts';

interface WritingStatement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** All or none of them. @returns how many rows each changed. */
export function writeStatements(database: DatabaseSync, statements: readonly WritingStatement[]): readonly number[] {
  return inTransaction(database, () =>
    statements.map(({ sql, bindings }) => Number(database.prepare(sql).run(...(bindings as SQLInputValue[])).changes)),
  );
}

/** Empties the write-ahead log, where removed rows still stand. */
export function checkpoint(database: DatabaseSync): void {
  database.exec('pragma wal_checkpoint(truncate)');
}
