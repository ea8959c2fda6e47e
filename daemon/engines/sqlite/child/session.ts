/**
 * Sets up and ends each kind of session in the child. Reads share one read-only handle that stays
 * open; every other session has its own handle, closed afterwards, so nothing that a statement set
 * outlives it.
 */

import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openSqliteFile } from '../../../sqlite/open-file.ts';
import { codeOf } from '../failure.ts';
import { type Authorizer, authorize } from './authorizer.ts';
import { masksOn } from './masks.ts';
import type { FileIdentity, RunRequest } from './protocol.ts';
import { sightOn } from './sight.ts';
import { type VectorIndex, vectorIndexesOf } from './vector-indexes.ts';

export type Handle = DatabaseSync &
  Authorizer & {
    vectorIndexes(): readonly VectorIndex[];
    readonly seen: ReturnType<typeof sightOn>;
    readonly masked: ReturnType<typeof masksOn>;
  };

/** A session on a file; it waits so long for another program's lock. */
type Asked = Pick<RunRequest, 'session' | 'file' | 'lockWaitMilliseconds'>;

export interface Sessions {
  /**
   * Runs `work` in the session; an error of `work` or of the session's end is an SQLite failure.
   * @param staying called before the first moment at which changes may stay.
   */
  within<T>(asked: Asked, work: (handle: Handle) => T, staying?: () => void): T;
}

export function openSessions(): Sessions {
  let reading: (Pick<Asked, 'file' | 'lockWaitMilliseconds'> & { readonly handle: Handle }) | null = null;

  const readHandle = ({ file, lockWaitMilliseconds }: Asked): Handle => {
    // If a file was renamed over the open one, the path is another database.
    if (reading && !sameFile(reading.file, file)) {
      reading.handle.close();
      reading = null;
    }
    if (reading?.lockWaitMilliseconds === lockWaitMilliseconds) return reading.handle;
    const { handle } = reading ?? { handle: openFile(file, 'read', lockWaitMilliseconds) };
    handle.exec(`pragma busy_timeout = ${lockWaitMilliseconds}`);
    reading = { file, handle, lockWaitMilliseconds };
    return handle;
  };

  /**
   * A killed writer leaves a journal that a read-only handle can't roll back; SQLite says so before
   * the first row. Opening the file once for writing, as any program would, repairs it.
   */
  const recovering = <T>({ file, lockWaitMilliseconds }: Asked, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!isUnrecovered(error)) throw error;
      openFile(file, 'write', lockWaitMilliseconds).close();
      return work();
    }
  };

  return {
    within(asked, work, staying = () => {}) {
      const { session, file, lockWaitMilliseconds } = asked;
      if (session === 'read') return recovering(asked, () => work(readHandle(asked)));
      const handle = openFile(file, 'write', lockWaitMilliseconds);
      try {
        if (session !== 'alone')
          return inTransaction(handle, session === 'write' ? 'commit' : 'rollback', work, staying);
        // VACUUM attaches the database that it makes.
        handle.limits.attach = 1;
        staying();
        return work(handle);
      } finally {
        handle.close();
      }
    },
  };
}

function inTransaction<T>(
  handle: Handle,
  end: 'commit' | 'rollback',
  work: (handle: Handle) => T,
  staying: () => void,
): T {
  handle.exec('begin immediate');
  try {
    const result = work(handle);
    // OR ROLLBACK and RAISE(ROLLBACK) have ended it already.
    if (end === 'commit') staying();
    if (end === 'commit' || handle.isTransaction) handle.exec(end);
    return result;
  } finally {
    if (handle.isTransaction) handle.exec('rollback');
  }
}

function openFile(file: FileIdentity, access: 'read' | 'write', lockWait: number): Handle {
  const handle = openSqliteFile(file.realPath, { access, lockWaitMilliseconds: lockWait });
  try {
    const found = statSync(file.realPath, { bigint: true });
    if (String(found.dev) !== file.device || String(found.ino) !== file.inode) {
      throw new Error(`The file ${file.realPath} was replaced while it was being opened. Try again.`);
    }
    // A hostile schema may call functions and hold damaged pages.
    handle.exec('pragma trusted_schema = off; pragma cell_size_check = on');
    // No other file, neither by ATTACH nor by VACUUM INTO.
    handle.limits.attach = 0;
    // In KiB: joins and indexes in people's files exceed SQLite's default of 2 MB.
    handle.exec('pragma cache_size = -16000');
    // Reads the header first: a file that is no database fails here.
    handle.prepare('pragma schema_version').get();
    // In WAL mode a kill never loses a commit; a power cut may. SQLite recommends this, and most
    // programs use it.
    if (handle.prepare('pragma journal_mode').get()?.journal_mode === 'wal') handle.exec('pragma synchronous = normal');
    // SQLite's own protection against any write, temporary tables included, whatever the statement
    // was taken for.
    if (access === 'read') handle.exec('pragma query_only = on');
    return Object.assign(handle, authorize(handle), {
      vectorIndexes: vectorIndexesOf(handle),
      seen: sightOn(handle, access === 'read'),
      masked: masksOn(handle, access === 'read'),
    });
  } catch (error) {
    handle.close();
    throw error;
  }
}

function isUnrecovered(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY';
}

function sameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.realPath === other.realPath && one.device === other.device && one.inode === other.inode;
}
