/** One daemon per home (spec §2): an exclusive SQLite transaction on `daemon.lock`, which the kernel ends with the process. */

import BetterSqlite3 from 'better-sqlite3';

export interface HeldLock {
  release(): void;
}

/** @returns null when another process holds it. Never open `daemon.lock` a second time here: closing it would drop the lock. */
export function takeLock(path: string): HeldLock | null {
  const database = new BetterSqlite3(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
  return { release: () => void database.close() };
}
