/** Adds and removes rows of the history, its index and the count of its bytes together, a bounded number at a time. */

import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { HistoryRow } from './row.ts';
import { indexedText, scopeWord } from './words.ts';

export async function insertHistory(knex: Knex, rows: readonly HistoryRow[]): Promise<void> {
  await knex.transaction(async trx => {
    for (const row of rows) {
      const [id] = await trx('history').insert(row);
      if (row.statement === null) continue;
      const scope = `${scopeWord('principal', row.principal)} ${scopeWord('connection', row.connection_id)}`;
      await trx.raw('insert into history_search (rowid, statement, scope) values (?, ?, ?)', [
        id ?? 0,
        indexedText(row.statement),
        scope,
      ]);
    }
    const added = rows.reduce((sum, row) => sum + row.kept_bytes, 0);
    await trx('history_size').increment('kept_bytes', added);
  });
}

export async function keptBytes(knex: Knex): Promise<number> {
  const row: { kept_bytes: number } | undefined = await knex('history_size').first();
  return row?.kept_bytes ?? 0;
}

export async function countHistory(knex: Knex): Promise<number> {
  const [row]: { count: number }[] = await knex('history').count({ count: '*' });
  return row?.count ?? 0;
}

/**
 * Removes every row, and what deleting leaves of a statement: its words in the index until its parts are merged, its pages in the
 * write-ahead log. (Pages that are given back are overwritten: the store's `secure_delete`.) Nothing may be added meanwhile.
 */
export async function removeAll(knex: Knex, stepRows: number): Promise<void> {
  // At once: word by word it would take a minute for what a busy month leaves.
  await knex.raw("insert into history_search (history_search) values ('delete-all')");
  for (let deleted = stepRows; deleted === stepRows; await afterOthers()) {
    const some = knex('history').select('id').orderBy('id').limit(stepRows);
    deleted = await knex('history').whereIn('id', some).delete();
  }
  await knex('history_size').update({ kept_bytes: 0 });
  await knex.raw('pragma wal_checkpoint(truncate)');
}

/** Removes the oldest for as long as `isOver` says of the next batch's youngest, or of the bytes kept. */
export async function removeOldest(
  knex: Knex,
  stepRows: number,
  isOver: (row: { readonly time: number }, bytes: number) => boolean,
): Promise<void> {
  for (;;) {
    const rows: { id: number; time: number; kept_bytes: number }[] = await knex('history')
      .select('id', 'time', 'kept_bytes')
      .orderBy('id')
      .limit(stepRows);
    const kept = await keptBytes(knex);
    const old: number[] = [];
    let removed = 0;
    for (const row of rows) {
      if (!isOver(row, kept - removed)) break;
      old.push(row.id);
      removed += row.kept_bytes;
    }
    if (old.length === 0) return;
    await knex.transaction(async trx => {
      await trx('history').whereIn('id', old).delete();
      await trx('history_search').whereIn('rowid', old).delete();
      // Rows are added meanwhile: what is kept is counted down, never set.
      await trx('history_size').decrement('kept_bytes', removed);
    });
    if (old.length < stepRows) return;
    await afterOthers();
  }
}
