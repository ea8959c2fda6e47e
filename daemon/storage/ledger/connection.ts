/** The settings of the connections to `sallyport.db`. */

interface Settable {
  pragma(text: string): unknown;
}

/** Of one that may write. */
export function prepareForWriting(connection: Settable): void {
  connection.pragma('journal_mode = wal');
  connection.pragma('synchronous = full');
  connection.pragma('foreign_keys = on');
  // What is removed is not to be found in the file any more: statements, settings, who did what.
  connection.pragma('secure_delete = on');
  keepFewPages(connection);
}

export function keepFewPages(connection: Settable): void {
  // KiB. The driver's 16 MB, page by page among all else on the heap, kept 60 MB of holes from going back to the system.
  connection.pragma('cache_size = -1000');
}
