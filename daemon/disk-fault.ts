/**
 * Words why something could not be stored because of the disk: what happened, to what, what to do.
 */

import { sqliteCodeOf } from './sqlite/result-codes.ts';

/**
 * @param error of the file system, or of SQLite.
 * @param place the file or folder that was to be written.
 * @returns the sentence without its end, which says what to do; null if the disk is not the reason.
 */
export function diskFault(error: unknown, place: string): string | null {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return `There is no room left on the disk for ${place}; make some`;
  if (code === 'EDQUOT') return `Your disk quota leaves no room for ${place}; make some`;
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY')) return `${place} can only be read; make it writable`;
  if (code === 'EACCES' || code === 'EPERM' || code.startsWith('SQLITE_CANTOPEN')) {
    return `${place} can't be written (${code}); see to its permissions`;
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return `Another program holds a lock on ${place}; end it`;
  }
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR')) {
    return `${place} can't be written (${code}); look at the disk that holds it`;
  }
  if (code === storeThreadEnded) return `The thread that writes to ${place} ended and is started again; wait a second`;
  return null;
}

/** It isn't the disk's fault, but handled where that is: nothing could be stored. */
export const storeThreadEnded = 'STORE_THREAD_ENDED';

/** The file system's or SQLite's code; empty if there is none. */
export function errorCode(error: unknown): string {
  const ofSqlite = sqliteCodeOf(error);
  if (ofSqlite !== null) return ofSqlite;
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
