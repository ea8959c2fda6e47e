/**
 * Tells whether a daemon holds a home's lock, and which process it is (spec §2). Takes no lock for
 * longer than a look, and ends nothing.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface LockHolder {
  /** Null if the system doesn't tell: another container may hold it. */
  readonly pid: number | null;
}

/**
 * Null if nobody holds it. Never call it in the process that holds it: closing the file there would
 * drop the lock.
 */
export async function lockHolder(path: string): Promise<LockHolder | null> {
  if (!isFile(path)) return null;
  const pid = process.platform === 'linux' ? holderInProc(path) : holderByLsof(path);
  if (pid === null && !(await isLocked(path))) return null;
  return { pid };
}

/** False for what can't be looked at too: nobody could hold it. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A daemon that starts in this very moment tries again. */
async function isLocked(path: string): Promise<boolean> {
  const { DatabaseSync } = await import('node:sqlite');
  const address = pathToFileURL(path);
  address.search = 'mode=ro';
  try {
    const database = new DatabaseSync(address, { readOnly: true, timeout: 0 });
    try {
      database.prepare('select count(*) from sqlite_schema').get();
    } finally {
      database.close();
    }
    return false;
  } catch (error) {
    return (error as { readonly errcode?: number }).errcode === sqliteBusy;
  }
}

const sqliteBusy = 5;

/** SQLite's `SHARED_FIRST`: the first byte that readers share, and a writer has alone. */
const sharedByte = 0x40000000 + 2;

/**
 * The kernel's list names the process. Its inode may be another disk's, so the process must have
 * this very file open too. Line format: number, kind, …, access in fourth place, process in fifth,
 * then `major:minor:inode`, first and last byte. Any program may lock a byte that nobody uses, or
 * hold a lock that belongs to no process.
 */
function holderInProc(path: string): number | null {
  try {
    const { ino } = statSync(path, { bigint: true });
    const pids = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      .filter(fields => fields[1] === 'POSIX' && fields[3] === 'WRITE' && fields[5]?.endsWith(`:${ino}`))
      .filter(fields => Number(fields[6]) <= sharedByte && (fields[7] === 'EOF' || Number(fields[7]) >= sharedByte))
      .map(fields => Number(fields[4]));
    return pids.find(pid => hasOpen(pid, path)) ?? null;
  } catch {
    return null;
  }
}

/** False for a process that has gone or is another user's. */
function hasOpen(pid: number, path: string): boolean {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some(descriptor => {
      const open = statSync(`${folder}/${descriptor}`, { throwIfNoEntry: false, bigint: true });
      return open?.ino === ino && open.dev === dev;
    });
  } catch {
    return false;
  }
}

const lsof = '/usr/sbin/lsof';
const lsofMilliseconds = 2_000;

/**
 * Asks lsof. Only the daemon has the file open; `l` is the field for a lock, `W` one on the whole
 * file.
 */
function holderByLsof(path: string): number | null {
  try {
    const printed = execFileSync(lsof, ['-nP', '-Fpl', '--', path], {
      encoding: 'utf8',
      timeout: lsofMilliseconds,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = /^p(\d+)\n(?:f.*\n)?l[wWuU]/m.exec(printed)?.[1];
    return pid === undefined ? null : Number(pid);
  } catch {
    return null;
  }
}
