/** Settings of the connections to `sallyport.db`. */

import type { DatabaseSync } from 'node:sqlite';

/** For a connection that may write. */
export function prepareForWriting(connection: DatabaseSync): void {
  connection.exec('pragma journal_mode = wal');
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // Deleted statements, settings and names must not remain in the file.
  connection.exec('pragma secure_delete = on');
  prepareForReading(connection);
}

/** Node can't hold a longer text: the driver would return no row and throw nothing. */
const longestTextBytes = 2 ** 29 - 24;

export function prepareForReading(connection: DatabaseSync): void {
  connection.limits.length = longestTextBytes;
  // In KiB. A cache of 16 MB, spread page by page over the heap, kept 60 MB from going back to the
  // system.
  connection.exec('pragma cache_size = -1000');
}
