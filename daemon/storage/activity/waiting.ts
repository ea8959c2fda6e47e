/** What waits to be written: bounded while nothing can be, and what did not fit is counted. */

import type { Facts } from './row.ts';

export interface Waiting {
  readonly facts: Facts;
  /** Told the number of its row once that is anchored. */
  readonly written: (number: number) => void;
  /**
   * Null for what is kept for a later try; an attempt is told at once, because a write waits for
   * it. Given the number of its row where that is committed and only the head could not be kept.
   */
  readonly failed: ((committed: number | null) => void) | null;
}

export type WaitingRows = ReturnType<typeof waitingRows>;

export function waitingRows(most: number) {
  let rows: Waiting[] = [];
  let lost = 0;

  return {
    add(waiting: Waiting): void {
      if (rows.length < most) rows.push(waiting);
      else {
        lost += 1;
        waiting.failed?.(null);
      }
    },
    take: (count: number): readonly Waiting[] => rows.splice(0, count),
    /** Those that may be tried again, before all others. */
    putBack(waiting: readonly Waiting[]): void {
      rows = [...waiting, ...rows];
    },
    count: () => rows.length,
    /** How many did not fit and have not been told of. */
    lost: () => lost,
    forgetLost(count: number): void {
      lost -= count;
    },
  };
}
