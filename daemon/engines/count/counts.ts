/**
 * Counts whole tables by reading them, the smallest first, for 2 s in all. For the others it takes
 * the server's estimate.
 */

import { mostSeconds } from './trial.ts';

export interface Countable {
  /** False if this role doesn't see all rows. */
  readonly mayCount: boolean;
  readonly estimate: number | null;
}

export interface Count {
  readonly rows: number | null;
  readonly isEstimate: boolean;
}

/**
 * @param count counts one table within so many seconds; null if that isn't possible.
 * @returns one result per table, in their order.
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
