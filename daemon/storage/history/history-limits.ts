/** Every bound of the query history, each with its reason. */

export const historyLimits = {
  /**
   * UTF-8 bytes kept of one statement: what people write is shorter; what generators write is told
   * by its beginning.
   */
  statementBytes: 16 * 1024,
  /**
   * Bytes of all that is kept: a client that sends 100 KB statements as fast as it may must not
   * fill the disk.
   */
  totalBytes: 512 * 1024 * 1024,
  /**
   * Entries that wait to be written, each of up to 100 KB: more at once than the rate limits let
   * through in half a second.
   */
  waitingRows: 1_000,
  batchMilliseconds: 500,
  batchRows: 100,
  /**
   * Not while the daemon starts; soon enough for one that a client starts and ends with each of its
   * days.
   */
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: 3_600_000,
  stepRows: 200,
  /** Rows removed at a time where all go, and their words went before. */
  clearRows: 1_000,
};
export type HistoryLimits = Readonly<typeof historyLimits>;

/** What a row costs beside its statement: its other columns, its places in the indexes. */
export const rowBytes = 400;

export const longestHistoryPage = 1_000;

/** Words of one search: past it, it is no question any more. */
export const mostSearchWords = 16;
