/** Every bound of the activity log, each with its reason. */

const day = 86_400_000;

export const activityLimits = {
  /**
   * How long a row may wait for others: half of what spec §14 allows, so that a slow disk keeps the
   * second.
   */
  batchMilliseconds: 500,
  /** Rows of one transaction: little enough that the event loop is not held. */
  batchRows: 500,
  /** Rows kept in memory while the log can't be written; beyond it they are counted as lost. */
  waitingRows: 10_000,
  retryMilliseconds: 1_000,
  /** Spec §14: kept 90 days. */
  keptMilliseconds: 90 * day,
  /** Not while the daemon starts and its first clients wait. */
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: day / 24,
  /** Rows read or deleted at a time by what walks the whole log. */
  stepRows: 250,
  /** Repeated refusals counted at once; past it the oldest count is written out. */
  tallies: 1_000,
};
export type ActivityLimits = Readonly<typeof activityLimits>;

export const longestPage = 1_000;

/** UTF-16 units kept of a name or id, and of a reason: clients choose how long theirs are. */
export const longestName = 256;
export const longestReason = 1_000;
