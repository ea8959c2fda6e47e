/** Opens an SQLite file with the settings for all of ours, people's files and our own. */

import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

interface HowToOpen {
  /** Only `make` creates a missing file. */
  readonly access: 'read' | 'write' | 'make';
  /** How long to wait for another program's lock. */
  readonly lockWaitMilliseconds?: number;
}

const modes = { read: 'ro', write: 'rw', make: 'rwc' } as const;

/** @throws SQLite's error, by number (`result-codes.ts`). */
export function openSqliteFile(path: string, { access, lockWaitMilliseconds = 5_000 }: HowToOpen): DatabaseSync {
  // A URL: the driver would create a missing file, and takes a name that begins with `file:` for a
  // URL.
  const address = pathToFileURL(path);
  address.search = `mode=${modes[access]}`;
  return new DatabaseSync(address, {
    readOnly: access === 'read',
    timeout: lockWaitMilliseconds,
    enableForeignKeyConstraints: true,
    enableDoubleQuotedStringLiterals: false,
    allowExtension: false,
    defensive: true,
  });
}

/** Runs all of it or nothing. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } finally {
    if (database.isTransaction) database.exec('rollback');
  }
}
