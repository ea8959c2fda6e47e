/** Opens an SQLite file with the settings that hold for all of ours, people's files and our own. */

import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

interface HowToOpen {
  /** Only `make` makes a file that is missing. */
  readonly access: 'read' | 'write' | 'make';
  /** How long another program's lock is waited for. */
  readonly lockWaitMilliseconds?: number;
}

const modes = { read: 'ro', write: 'rw', make: 'rwc' } as const;

/** @throws what SQLite says, by number (`result-codes.ts`). */
export function openSqliteFile(path: string, { access, lockWaitMilliseconds = 5_000 }: HowToOpen): DatabaseSync {
  // An address, since the driver makes a missing file, and reads a name that begins with `file:` as
  // one.
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

/** All of it or nothing. */
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
