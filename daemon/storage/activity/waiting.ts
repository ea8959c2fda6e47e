/** What waits to be written: bounded while nothing can be, and what did not fit is counted. */

import type { Facts } from './row.ts';

export interface Waiting {
  readonly facts: Facts;
  /** Told the number of its row once that is anchored. */
  readonly written: (number: number) => void;
  /**
   * Null for what is kept for a later try; an attempt is told at once, because a write waits for it. Given the number of its
   * row where that is committed and only the head could not be kept.
   */
  readonly failed: ((committed: number | null) => void) | null;
}

export interface WaitingRows {
  add(waiting: Waiting): void;
  take(most: number): readonly Waiting[];
  /** Those that may be tried again, before all others. */
  putBack(waiting: readonly Waiting[]): void;
  count(): number;
  /** How many did not fit and have not been told of. */
  lost(): number;
  forgetLost(count: number): void;
}

export function waitingRows(most: number): WaitingRows {
  let rows: Waiting[] = [];
  let lost = 0;

  return {
    add(waiting) {
      if (rows.length < most) rows.push(waiting);
      else {
        lost += 1;
        waiting.failed?.(null);
      }
    },
    take: count => rows.splice(0, count),
    putBack(waiting) {
      rows = [...waiting, ...rows];
    },
    count: () => rows.length,
    lost: () => lost,
    forgetLost(count) {
      lost -= count;
    },
  };
}
