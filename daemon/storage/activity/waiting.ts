/** Rows that wait to be written. The queue is bounded; rows that don't fit are counted. */

import type { Facts } from './row.ts';

export interface Waiting {
  readonly facts: Facts;
  /** Gets the row's number once it is anchored. */
  readonly written: (number: number) => void;
  /**
   * Null for a row that is kept for a later try. An attempt is told at once, because a write waits
   * for it; it gets the row's number if the row is committed and only the head could not be kept.
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
    /** Rows to try again; they go to the front. */
    putBack(waiting: readonly Waiting[]): void {
      rows = [...waiting, ...rows];
    },
    count: () => rows.length,
    /** How many didn't fit and are not yet reported. */
    lost: () => lost,
    forgetLost(count: number): void {
      lost -= count;
    },
  };
}
