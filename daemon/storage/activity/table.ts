/** Reads and changes the `activity` table's rows in the chain's order, a bounded number at a time. */

import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type Mark, storedMac } from './chain.ts';
import type { StoredRow } from './row.ts';

/** SQLite takes 32,766 values in a statement, and building it costs more than sending it: this many rows are best. */
const rowsPerInsert = 50;

export async function endOfTable(knex: Knex): Promise<Mark | null> {
  const row: Mark | undefined = await knex('activity').select('number', 'mac').orderBy('number', 'desc').first();
  return row === undefined ? null : { number: row.number, mac: storedMac(row) };
}

export async function insertRows(trx: Knex, rows: readonly StoredRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await trx('activity').insert(rows.slice(start, start + rowsPerInsert));
  }
}

/** Rows after one number and up to another, in order, in steps between which the event loop runs. */
export async function* rowsBetween(
  knex: Knex,
  after: number,
  upTo: number,
  stepRows: number,
): AsyncGenerator<readonly StoredRow[]> {
  for (let last = after; last < upTo; ) {
    const rows: StoredRow[] = await knex('activity')
      .where('number', '>', last)
      .andWhere('number', '<=', upTo)
      .orderBy('number')
      .limit(stepRows);
    const final = rows.at(-1);
    if (final === undefined) return;
    yield rows;
    last = final.number;
    await afterOthers();
  }
}

export async function deleteBetween(knex: Knex, after: number, upTo: number, stepRows: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = knex('activity').select('number').where('number', '>', after).andWhere('number', '<=', upTo);
    const count: number = await knex('activity').whereIn('number', some.orderBy('number').limit(stepRows)).delete();
    deleted += count;
    if (count < stepRows) return deleted;
    await afterOthers();
  }
}
