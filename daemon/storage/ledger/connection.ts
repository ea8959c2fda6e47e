/** The settings of the connections to `sallyport.db`. */

import type { DatabaseSync } from 'node:sqlite';

/** Of one that may write. */
export function prepareForWriting(connection: DatabaseSync): void {
  connection.exec('pragma journal_mode = wal');
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  // What is removed is not to be found in the file any more: statements, settings, who did what.
  connection.exec('pragma secure_delete = on');
  keepFewPages(connection);
}

export function keepFewPages(connection: DatabaseSync): void {
  // KiB. Its 2 MB, and more so 16, page by page among all else on the heap, kept 60 MB of holes from going back to the system.
  connection.exec('pragma cache_size = -1000');
}
