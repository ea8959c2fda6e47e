/**
 * Compares the table's end with the head that was anchored, and says where the chain goes on (spec §14). What a crash left
 * beyond the head is adopted when it verifies; what is missing leaves a hole in the numbers that no later row fills, so that
 * it shows for as long as the log is kept.
 */

import type { Knex } from 'knex';
import type { OwnAction } from '../../activity.ts';
import { readSealedCopy, type Seal } from './anchor.ts';
import { type Head, type Mark, sameMac } from './chain.ts';
import { chainJudge } from './judge.ts';
import { deleteBetween, endOfTable, rowsBetween } from './table.ts';

/** Something the log must say of itself. */
export interface Incident {
  readonly action: OwnAction;
  readonly reason: string;
  readonly count: number;
}

export interface Settled {
  /** The next row's predecessor. */
  readonly last: Mark;
  /** True where the predecessor is not in the table as it was: then the next row carries its MAC. */
  readonly isDetached: boolean;
  readonly incidents: readonly Incident[];
}

export async function settle(knex: Knex, seal: Seal, head: Head, stepRows: number): Promise<Settled> {
  const { last } = head;
  const end = (await endOfTable(knex)) ?? { number: 0, mac: last.mac };
  if (end.number > last.number) return settleBeyond(knex, seal.key, last, end.number, stepRows);
  if (end.number === last.number) {
    if (end.number === 0 || sameMac(end.mac, last.mac)) return { last, isDetached: false, incidents: [] };
    const reason = `Row ${last.number}, the last, was not the one that was recorded.`;
    return { last, isDetached: true, incidents: [{ action: 'activity.last_row_changed', reason, count: 1 }] };
  }
  return { last, isDetached: true, incidents: [await missingEnd(knex, seal, head, end.number)] };
}

async function settleBeyond(knex: Knex, key: Buffer, last: Mark, end: number, stepRows: number): Promise<Settled> {
  const good = await goodRowsAfter(knex, key, last, end, stepRows);
  const incidents: Incident[] = [];
  if (good.number > last.number) {
    const count = good.number - last.number;
    const reason = `${rowRange(last.number + 1, good.number)} written before an unclean stop, after the head was last kept; intact.`;
    incidents.push({ action: 'activity.adopted', reason, count });
  }
  if (good.number < end) {
    // Left standing, they would take the numbers of the rows to come.
    const count = await deleteBetween(knex, good.number, Number.POSITIVE_INFINITY, stepRows);
    const reason = `Behind row ${good.number} stood ${count} that Sallyport had not written so; removed.`;
    incidents.push({ action: 'activity.foreign_rows', reason, count });
  }
  return { last: good, isDetached: false, incidents };
}

async function goodRowsAfter(knex: Knex, key: Buffer, last: Mark, end: number, stepRows: number): Promise<Mark> {
  const judge = chainJudge(key, last);
  let good = last;
  for await (const rows of rowsBetween(knex, last.number, end, stepRows)) {
    for (const row of rows) {
      const { verdict, missingFrom } = judge(row);
      if (verdict !== 'good' || missingFrom !== null) return good;
      good = { number: row.number, mac: row.mac };
    }
  }
  return good;
}

/** The copy of the head beside the rows agrees with them only where the whole database is of that moment. */
async function missingEnd(knex: Knex, seal: Seal, head: Head, end: number): Promise<Incident> {
  const copy = await readSealedCopy(knex, seal);
  const from = Math.max(end, head.tail.number) + 1;
  const rows = rowRange(from, head.last.number);
  const count = head.last.number - from + 1;
  return copy !== null && copy.last.number === end
    ? { action: 'activity.older_copy', reason: `The database was an older copy: it ended before ${rows}.`, count }
    : { action: 'activity.truncated', reason: `The log's end had been cut off: ${rows}.`, count };
}

export function rowRange(from: number, to: number): string {
  return from === to ? `row ${from}` : `rows ${from} to ${to}`;
}
