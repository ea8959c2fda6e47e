/**
 * Adds and removes history rows together with their index entries and byte count, in the writing
 * thread.
 */

import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../sqlite/open-file.ts';
import { queryOn } from '../../sqlite/query.ts';
import type { HistoryRecord } from '../../statement/history.ts';
import { historyRow } from './row.ts';
import { indexedText, scopeWord } from './search-words.ts';

export interface TimedRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly record: HistoryRecord;
}

const columns = [
  'id',
  'time',
  'connection_id',
  'connection_name',
  'principal',
  'token_name',
  'client',
  'class',
  'outcome',
  'rows',
  'duration_milliseconds',
  'kept_bytes',
  'is_cut',
  'statement_hash',
  'statement',
  'attempt',
];
const insertion = `insert into history (${columns.join(', ')}) values (${columns.map(column => `@${column}`).join(', ')})`;

/**
 * @param newestId the last id that was ever given: followers ask for ids above it, and SQLite would
 *   start again at 1 in an empty table.
 */
export function addHistory(
  database: DatabaseSync,
  records: readonly TimedRecord[],
  statementBytes: number,
  newestId: number,
) {
  const insertRow = database.prepare(insertion);
  const newestRow = queryOn(database, 'select max(id) from history');
  const changeRow = database.prepare(
    'update history set outcome = ?, rows = ?, duration_milliseconds = ? where attempt = ?',
  );
  const insertWords = database.prepare('insert into history_search (rowid, statement, scope) values (?, ?, ?)');
  return inTransaction(database, () => {
    let added = 0;
    let id = Math.max(newestId, Number(newestRow.value()));
    for (const { time, record } of records) {
      const { outcome, rows, durationMilliseconds, attempt } = record;
      if (attempt !== undefined && changeRow.run(outcome, rows, durationMilliseconds, attempt).changes > 0) continue;
      const row = historyRow(time, record, statementBytes);
      id += 1;
      insertRow.run({ id, ...row });
      added += row.kept_bytes;
      if (row.statement === null) continue;
      const scope = `${scopeWord('principal', row.principal)} ${scopeWord('connection', row.connection_id)}`;
      insertWords.run(id, indexedText(row.statement), scope);
    }
    return { newestId: id, keptBytes: changeKept(database, added) };
  });
}

/** Rows are added and removed in turns: the byte count goes up and down and is never set. */
function changeKept(database: DatabaseSync, bytes: number): number {
  const change = 'update history_size set kept_bytes = kept_bytes + ? returning kept_bytes';
  return Number(queryOn(database, change).value(bytes));
}

/** Which rows to delete: those before a time, and the oldest while more than `bytes` is kept. */
export interface RowsToDelete {
  /** Milliseconds since 1970; null deletes none by age. */
  readonly before: number | null;
  readonly bytes: number;
}

interface OldRow {
  readonly id: number;
  readonly kept_bytes: number;
}

/** Removes up to `most` of the oldest rows. @returns whether there may be more. */
export function removeOldest(database: DatabaseSync, most: number, { before, bytes }: RowsToDelete): boolean {
  return inTransaction(database, () => {
    // By time first: a row from a day with a fast clock must not keep the rows behind it.
    const tooOld = before === null ? [] : rowsBefore(database, before, most);
    const oldest = tooOld.length > 0 ? tooOld : firstRows(database, most);
    const kept = changeKept(database, 0);
    const removeRow = database.prepare('delete from history where id = ?');
    const removeWords = database.prepare('delete from history_search where rowid = ?');
    let removed = 0;
    let count = 0;
    for (const { id, kept_bytes } of oldest) {
      if (tooOld.length === 0 && kept - removed <= bytes) break;
      removeRow.run(id);
      removeWords.run(id);
      removed += kept_bytes;
      count += 1;
    }
    if (count > 0) changeKept(database, -removed);
    return count > 0;
  });
}

function rowsBefore(database: DatabaseSync, before: number, most: number): OldRow[] {
  const rows = 'select id, kept_bytes from history indexed by history_by_time where time < ? order by time limit ?';
  return queryOn(database, rows).all(before, most) as unknown as OldRow[];
}

function firstRows(database: DatabaseSync, most: number): OldRow[] {
  return queryOn(database, 'select id, kept_bytes from history order by id limit ?').all(most) as unknown as OldRow[];
}
