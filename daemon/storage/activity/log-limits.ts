/** Every bound of the activity log, each with its reason. */

const day = 86_400_000;

export const activityLimits = {
  /**
   * How long a row may wait for others: half of what spec §14 allows, so a slow disk has the other
   * half.
   */
  batchMilliseconds: 500,
  /** Rows in one transaction: few enough to keep the event loop free. */
  batchRows: 500,
  /** Rows in memory while the log can't be written. More are counted as lost. */
  waitingRows: 10_000,
  retryMilliseconds: 1_000,
  /** Spec §14: kept 90 days. */
  keptMilliseconds: 90 * day,
  /** The first pruning waits until the start is over and the first clients are served. */
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: day / 24,
  /** Rows that a walk over the whole log reads or deletes at a time. */
  stepRows: 250,
  /** Repeated refusals counted at once. One more writes out the oldest count. */
  tallies: 1_000,
};
export type ActivityLimits = Readonly<typeof activityLimits>;

export const longestPage = 1_000;

/** UTF-16 units kept of a name or id, and of a reason: clients choose the length. */
export const longestName = 256;
export const longestReason = 1_000;
