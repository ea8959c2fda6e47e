/** Adds and removes rows of the history, its index and the count of its bytes together, in the thread that writes. */

import type { Database } from 'better-sqlite3';
import type { HistoryRecord } from '../../query/history.ts';
import { historyRow } from './row.ts';
import { indexedText, scopeWord } from './words.ts';

export interface TimedRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly record: HistoryRecord;
}

const columns = [
  ...['time', 'connection_id', 'connection_name', 'principal', 'token_name', 'client', 'class', 'outcome', 'rows'],
  ...['duration_milliseconds', 'kept_bytes', 'is_cut', 'statement_hash', 'statement'],
];
const insertion = `insert into history (${columns.join(', ')}) values (${columns.map(column => `@${column}`).join(', ')})`;

/** @returns the bytes kept by now. */
export function addHistory(database: Database, records: readonly TimedRecord[], statementBytes: number): number {
  const insertRow = database.prepare(insertion);
  const insertWords = database.prepare('insert into history_search (rowid, statement, scope) values (?, ?, ?)');
  const add = database.transaction(() => {
    let added = 0;
    for (const { time, record } of records) {
      const row = historyRow(time, record, statementBytes);
      const { lastInsertRowid } = insertRow.run(row);
      added += row.kept_bytes;
      if (row.statement === null) continue;
      const scope = `${scopeWord('principal', row.principal)} ${scopeWord('connection', row.connection_id)}`;
      insertWords.run(lastInsertRowid, indexedText(row.statement), scope);
    }
    return changeKept(database, added);
  });
  return add.immediate();
}

/** Rows are added and removed by turns: what is kept is counted up and down, never set. */
function changeKept(database: Database, bytes: number): number {
  const change = database.prepare('update history_size set kept_bytes = kept_bytes + ? returning kept_bytes');
  return Number(change.pluck().get(bytes));
}

/** Which rows go: those before a time, and the oldest while more is kept than so many bytes. */
export interface Excess {
  /** Milliseconds since 1970; null for none by age. */
  readonly before: number | null;
  readonly bytes: number;
}

interface OldRow {
  readonly id: number;
  readonly time: number;
  readonly kept_bytes: number;
}

/** Removes so many of the oldest at most. @returns whether there may be more. */
export function removeOldest(database: Database, most: number, { before, bytes }: Excess): boolean {
  const remove = database.transaction(() => {
    const oldest = database
      .prepare('select id, time, kept_bytes from history order by id limit ?')
      .all(most) as OldRow[];
    const kept = changeKept(database, 0);
    const removeRow = database.prepare('delete from history where id = ?');
    const removeWords = database.prepare('delete from history_search where rowid = ?');
    let removed = 0;
    let count = 0;
    for (const { id, time, kept_bytes } of oldest) {
      if (kept - removed <= bytes && (before === null || time >= before)) break;
      removeRow.run(id);
      removeWords.run(id);
      removed += kept_bytes;
      count += 1;
    }
    if (count > 0) changeKept(database, -removed);
    return count > 0 && count === most;
  });
  return remove.immediate();
}
