/** Every bound of the query history, each with its reason. */

export interface HistoryLimits {
  /** UTF-8 bytes kept of one statement: what people write is shorter; what generators write is told by its beginning. */
  readonly statementBytes: number;
  /** Bytes of all that is kept: a client that sends 100 KB statements as fast as it may must not fill the disk. */
  readonly totalBytes: number;
  /** Entries that wait to be written, each of up to 100 KB: more at once than the rate limits let through in half a second. */
  readonly waitingRows: number;
  readonly batchMilliseconds: number;
  readonly batchRows: number;
  /** Not while the daemon starts; soon enough for one that a client starts and ends with each of its days. */
  readonly firstPruneMilliseconds: number;
  readonly pruneEveryMilliseconds: number;
  readonly stepRows: number;
  /** Rows removed at a time where all go, and their words went before. */
  readonly clearRows: number;
}

export const historyLimits: HistoryLimits = {
  statementBytes: 16 * 1024,
  totalBytes: 512 * 1024 * 1024,
  waitingRows: 1_000,
  batchMilliseconds: 500,
  batchRows: 100,
  firstPruneMilliseconds: 60_000,
  pruneEveryMilliseconds: 3_600_000,
  stepRows: 200,
  clearRows: 1_000,
};

/** What a row costs beside its statement: its other columns, its places in the indexes. */
export const rowBytes = 400;

export const longestHistoryPage = 1_000;

/** Words of one search: past it, it is no question any more. */
export const mostSearchWords = 16;
