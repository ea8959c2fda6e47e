/**
 * One daemon per home (spec §2): an exclusive SQLite transaction on `daemon.lock`, which ends with
 * the process.
 */

import { statSync } from 'node:fs';
import { errorCode } from '../disk-fault.ts';
import { openSqliteFile } from '../sqlite/open-file.ts';

export interface HeldLock {
  release(): void;
  /** False if its path leads elsewhere by now: another daemon could take what is there. */
  isThere(): boolean;
}

/**
 * @returns null if another process holds it. Never open `daemon.lock` a second time here: closing
 *   that would drop the lock.
 */
export function takeLock(path: string): HeldLock | null {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw noLock(path);
  const database = openSqliteFile(path, { access: 'make', lockWaitMilliseconds: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const code = errorCode(error);
    if (code.startsWith('SQLITE_BUSY')) return null;
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
    // We don't remove the file: another daemon may just be taking it.
    throw noLock(path);
  }
  const held = identityAt(path);
  return { release: () => void database.close(), isThere: () => isStill(path, held) };
}

/** True for what can't be looked at, in a closed home say: nobody else could take it there. */
function isStill(path: string, held: string | null): boolean {
  try {
    return identityAt(path) === held;
  } catch {
    return true;
  }
}

function identityAt(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

function noLock(path: string): Error {
  return new Error(`${path} is no lock of Sallyport's; remove it, then start Sallyport again.`);
}
