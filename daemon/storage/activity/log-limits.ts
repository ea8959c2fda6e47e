/** Every bound of the activity log, each with its reason. */

export interface ActivityLimits {
  /** How long a row may wait for others: half of what spec §14 allows, so that a slow disk keeps the second. */
  readonly batchMilliseconds: number;
  /** Rows of one transaction: little enough that the event loop is not held. */
  readonly batchRows: number;
  /** Rows kept in memory while the log can't be written; beyond it they are counted as lost. */
  readonly waitingRows: number;
  readonly retryMilliseconds: number;
  /** Spec §14: kept 90 days. */
  readonly keptMilliseconds: number;
  /** Not while the daemon starts and its first clients wait. */
  readonly firstPruneMilliseconds: number;
  readonly pruneEveryMilliseconds: number;
  /** Rows read or deleted at a time by what walks the whole log. */
  readonly stepRows: number;
  /** Repeated refusals counted at once; past it the oldest count is written out. */
  readonly tallies: number;
}

const day = 86_400_000;

export const activityLimits: ActivityLimits = {
  batchMilliseconds: 500,
  batchRows: 500,
  waitingRows: 10_000,
  retryMilliseconds: 1_000,
  keptMilliseconds: 90 * day,
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: day / 24,
  stepRows: 250,
  tallies: 1_000,
};

export const longestPage = 1_000;

/** UTF-16 units kept of a name or id, and of a reason: clients choose how long theirs are. */
export const longestName = 256;
export const longestReason = 1_000;
