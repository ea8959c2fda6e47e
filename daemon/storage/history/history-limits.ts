/** Every bound of the query history, each with its reason. */

export const historyLimits = {
  /**
   * UTF-8 bytes kept of one statement: people write shorter ones, and the beginning identifies
   * generated ones.
   */
  statementBytes: 16 * 1024,
  /**
   * Total bytes: a client that sends 100 KB statements as fast as it can must not fill the disk.
   */
  totalBytes: 512 * 1024 * 1024,
  /**
   * Entries waiting to be written, up to 100 KB each: more than the rate limits let through in half
   * a second.
   */
  waitingRows: 1_000,
  batchMilliseconds: 500,
  batchRows: 100,
  /**
   * After the start is over, yet soon enough for a daemon that runs only for a client's session.
   */
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: 3_600_000,
  stepRows: 200,
  /** Rows deleted at a time when the history is cleared; their words are deleted before. */
  clearRows: 1_000,
};
export type HistoryLimits = Readonly<typeof historyLimits>;

/** A row's size besides its statement: other columns, index entries. */
export const rowBytes = 400;

export const longestHistoryPage = 1_000;

/** Most words in one search. */
export const mostSearchWords = 16;
