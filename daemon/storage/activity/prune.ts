/**
 * Removes rows that are older than they are kept (spec §14), so that the rest still verifies: first
 * the head says from where the chain is checked, then the rows go. What was wrong with them is said
 * in the row that records it.
 */

import { setImmediate as afterOthers } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { type Incident, rowRange } from './incidents.ts';
import type { ChainWriter } from './writer.ts';

interface PruneWork {
  readonly store: Pick<Store, 'knex' | 'ledger'>;
  readonly writer: ChainWriter;
  /** False where the head can't be kept: then nothing is removed. */
  readonly anchor: () => Promise<boolean>;
  /** Milliseconds since 1970, as the next: rows from before it are old. */
  readonly before: number;
  /**
   * Rows from after it were recorded while the clock ran ahead: they are as old as those around
   * them.
   */
  readonly now: number;
  readonly stepRows: number;
  readonly pruned: (incident: Incident) => void;
}

export async function pruneOldRows(work: PruneWork): Promise<void> {
  while (await pruneSome(work));
  // Whatever a killed prune left behind goes too.
  const tail = work.writer.head().tail.number;
  await deleteRows(work, Number.NEGATIVE_INFINITY, tail);
  await work.store.ledger.ask('forgetTexts', tail);
}

/** False where nothing is old enough, or the head can't be kept. */
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

/** Looked at in one statement, during which the event loop is held. */
const rowsLookedAt = 20_000;

/**
 * The last before the first that is young enough; never the log's last, which the next row is
 * chained to.
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

/** In steps, between which others write. */
async function deleteRows({ store, stepRows }: PruneWork, after: number, upTo: number): Promise<void> {
  while ((await store.ledger.ask('deleteBetween', after, upTo, stepRows)) === stepRows) await afterOthers();
}
