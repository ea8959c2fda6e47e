/**
 * Removes rows past their time (spec §14) so that the rest still verifies: first the head moves its
 * tail, then the rows go. A row records the removal and what was wrong with the removed rows.
 */

import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { type Incident, rowRange } from './incidents.ts';
import type { ChainWriter } from './writer.ts';

interface PruneWork {
  readonly store: Pick<Store, 'knex' | 'ledger'>;
  readonly writer: ChainWriter;
  /** Resolves to false if the head can't be kept; then nothing is removed. */
  readonly anchor: () => Promise<boolean>;
  /** Rows from before it are old. Milliseconds since 1970, as is `now`. */
  readonly before: number;
  /**
   * Rows from after it were recorded while the clock ran ahead: they are as old as their
   * neighbours.
   */
  readonly now: number;
  readonly stepRows: number;
  readonly pruned: (incident: Incident) => void;
}

export async function pruneOldRows(work: PruneWork): Promise<void> {
  while (await pruneSome(work));
  // Also removes what a killed pruning left behind.
  await deleteRows(work, Number.NEGATIVE_INFINITY, work.writer.head().tail.number);
}

/** @returns false if nothing is old enough, or the head can't be kept. */
async function pruneSome(work: PruneWork): Promise<boolean> {
  const { store, writer, anchor, pruned } = work;
  const { tail } = writer.head();
  const boundary = await lastOldRow(work);
  if (boundary === null) return false;
  const { mac, faults } = await store.ledger.read('verifyRows', writer.key, tail, boundary);
  writer.moveTail({ number: boundary, mac });
  if (!(await anchor())) {
    writer.moveTail(tail);
    return false;
  }
  await deleteRows(work, tail.number, boundary);
  const said = faults === 0 ? 'all as they were recorded' : `${faults} of them missing or not as they were recorded`;
  const rows = rowRange(tail.number + 1, boundary);
  pruned({ action: 'activity.pruned', reason: `Pruned ${rows}: ${said}.`, count: boundary - tail.number });
  return true;
}

/** Rows that one statement looks at; it holds the event loop. */
const rowsLookedAt = 20_000;

/**
 * The last row before the first that is young enough. Never the log's last row: the next one is
 * chained to it.
 */
async function lastOldRow({ store: { knex }, writer, before, now }: PruneWork): Promise<number | null> {
  const { last, tail } = writer.head();
  const end = Math.min(tail.number + rowsLookedAt, last.number - 1);
  const [young]: { number: number }[] = await knex.raw(
    'select number from activity where number > ? and number <= ? and time between ? and ? order by number limit 1',
    [tail.number, end, before, now],
  );
  const [old]: { number: number | null }[] = await knex.raw(
    'select max(number) as number from activity where number > ? and number <= ? and time < ?',
    [tail.number, young === undefined ? end : young.number - 1, before],
  );
  return old?.number ?? null;
}

/** Deletes in steps, so others can write in between. */
async function deleteRows({ store, stepRows }: PruneWork, after: number, upTo: number): Promise<void> {
  while ((await store.ledger.ask('deleteBetween', after, upTo, stepRows)) === stepRows) await afterOthers();
}
