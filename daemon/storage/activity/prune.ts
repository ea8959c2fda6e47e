/**
 * Removes rows that are older than they are kept (SPEC §14), so that the rest still verifies: first the head says from where
 * the chain is checked, then the rows go. What was wrong with them is said in the row that records it.
 */

import type { Knex } from 'knex';
import { chainJudge } from './judge.ts';
import type { StoredRow } from './row.ts';
import { type Incident, rowRange } from './settle.ts';
import { deleteBetween, rowsBetween } from './table.ts';
import type { ChainWriter } from './writer.ts';

export interface PruneWork {
  readonly knex: Knex;
  readonly writer: ChainWriter;
  /** False where the head can't be kept: then nothing is removed. */
  readonly anchor: () => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly before: number;
  readonly stepRows: number;
  readonly pruned: (incident: Incident) => void;
}

export async function pruneOldRows({ knex, writer, anchor, before, stepRows, pruned }: PruneWork): Promise<void> {
  const { tail } = writer.head();
  const boundary = await lastOldRow(knex, writer, before);
  if (boundary !== null && boundary > tail.number) {
    const { mac, faults } = await judgeRows(knex, writer, boundary, stepRows);
    writer.moveTail({ number: boundary, mac });
    if (!(await anchor())) {
      writer.moveTail(tail);
      return;
    }
    const said = faults === 0 ? 'all as they were recorded' : `${faults} of them missing or not as they were recorded`;
    const rows = rowRange(tail.number + 1, boundary);
    pruned({ action: 'activity.pruned', reason: `Pruned ${rows}: ${said}.`, count: boundary - tail.number });
  }
  // Whatever a killed prune left behind goes too.
  await deleteBetween(knex, Number.NEGATIVE_INFINITY, writer.head().tail.number, stepRows);
}

/** The last before the first that is young enough; never the log's last, which the next row is chained to. */
async function lastOldRow(knex: Knex, writer: ChainWriter, before: number): Promise<number | null> {
  const { last, tail } = writer.head();
  // The unary plus keeps SQLite from walking every young row in the index on time.
  const [first]: { number: number }[] = await knex.raw(
    'select number from activity where number > ? and +time >= ? order by number limit 1',
    [tail.number, before],
  );
  const boundary = Math.min((first?.number ?? last.number) - 1, last.number - 1);
  return boundary > tail.number ? boundary : null;
}

async function judgeRows(
  knex: Knex,
  writer: ChainWriter,
  boundary: number,
  stepRows: number,
): Promise<{ mac: Buffer | null; faults: number }> {
  const { tail } = writer.head();
  const judge = chainJudge(writer.key, tail);
  let final: StoredRow | null = null;
  let present = 0;
  let bad = 0;
  for await (const rows of rowsBetween(knex, tail.number, boundary, stepRows)) {
    for (const row of rows) {
      if (judge(row).verdict === 'bad') bad += 1;
      present += 1;
      final = row;
    }
  }
  const missing = boundary - tail.number - present;
  return { mac: final?.number === boundary ? final.mac : null, faults: bad + missing };
}
