/** The settings of the connections to `sallyport.db`. */

import type { DatabaseSync } from 'node:sqlite';

/** Of one that may write. */
export function prepareForWriting(connection: DatabaseSync): void {
  connection.exec('pragma journal_mode = wal');
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // What is removed is not to be found in the file any more: statements, settings, who did what.
  connection.exec('pragma secure_delete = on');
  prepareForReading(connection);
}

/** Node holds no longer text: the driver would give no row and throw nothing. */
const longestTextBytes = 2 ** 29 - 24;

export function prepareForReading(connection: DatabaseSync): void {
  connection.limits.length = longestTextBytes;
  // KiB. A cache of 16 MB, page by page among all else on the heap, kept 60 MB of holes from going
  // back to the system.
  connection.exec('pragma cache_size = -1000');
}
