/**
 * Jobs of the store's threads: everything that writes, and reads that are too large for the
 * daemon's own thread.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inTransaction } from '../../sqlite/open-file.ts';
import { deleteBetween, lookAtChain, marksBetween } from '../activity/activity-table.ts';
import { commitRows, keepHeadCopy } from '../activity/commit.ts';
import { reconcileHead } from '../activity/reconcile-head.ts';
import { verifyRows } from '../activity/verify-rows.ts';
import { walkChain } from '../activity/walk.ts';
import { addHistory, removeOldest } from '../history/history-table.ts';
import { storeRowQuota } from '../store/row-quota-table.ts';

/** Each job runs to its end; what it writes is one transaction. */
export const jobs = {
  writeStatements,
  checkpoint,
  lookAtChain,
  reconcileHead,
  commitRows,
  keepHeadCopy,
  deleteBetween,
  addHistory,
  removeOldest,
  storeRowQuota,
  verifyRows,
  marksBetween,
  walkChain,
} satisfies Record<string, (database: DatabaseSync, ...given: never[]) => unknown>;

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobArguments<Name extends JobName> = Jobs[Name] extends (
  database: DatabaseSync,
  ...given: infer Given
) => unknown
  ? Given
  : never;
export type AnswerOf<Name extends JobName> = ReturnType<Jobs[Name]>;

interface WritingStatement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** Runs all of them or none. @returns how many rows each changed. */
function writeStatements(database: DatabaseSync, statements: readonly WritingStatement[]): readonly number[] {
  return inTransaction(database, () =>
    statements.map(({ sql, bindings }) => Number(database.prepare(sql).run(...(bindings as SQLInputValue[])).changes)),
  );
}

/** Empties the write-ahead log, which still holds removed rows. */
function checkpoint(database: DatabaseSync): void {
  database.exec('pragma wal_checkpoint(truncate)');
}
