/**
 * Counts whole tables by reads, the smallest first, 2 s together at most; of the others the
 * server's estimate is taken.
 */

import { mostSeconds } from './trial.ts';

export interface Countable {
  /** False where this role is not shown all rows. */
  readonly mayCount: boolean;
  readonly estimate: number | null;
}

export interface Count {
  readonly rows: number | null;
  readonly isEstimate: boolean;
}

/**
 * @param count within so many seconds; null where that isn't to be had.
 * @returns one for each, in their order.
 */
export async function countWhole<Table extends Countable>(
  tables: readonly Table[],
  elapsed: () => number,
  count: (table: Table, seconds: number) => Promise<number | null>,
): Promise<readonly Count[]> {
  const until = elapsed() + mostSeconds * 1_000;
  const counted = new Map<Table, number>();
  for (const table of [...tables].sort((a, b) => (a.estimate ?? 0) - (b.estimate ?? 0))) {
    const seconds = (until - elapsed()) / 1_000;
    const rows = table.mayCount && seconds > 0 ? await count(table, seconds) : null;
    if (rows !== null) counted.set(table, rows);
  }
  return tables.map(table => {
    const rows = counted.get(table);
    return rows === undefined ? { rows: table.estimate, isEstimate: true } : { rows, isEstimate: false };
  });
}
