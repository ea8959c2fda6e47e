/**
 * Whether a path may be saved as an SQLite connection (spec §6): it is a database file, or becomes
 * one on request. No sentence repeats the path, which may be a mistyped password. Sallyport's own
 * files are refused before: closing one here would release this process's locks on it.
 */

import { constants } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { errorCode } from '../../../disk-fault.ts';
import { inLookTurn } from '../../../file-turns.ts';
import { openSqliteFile } from '../../../sqlite/open-file.ts';

/** The first bytes of every SQLite file (sqlite.org/fileformat2.html, 1.3). */
const magic = 'SQLite format 3\0';

/**
 * @param mayBeMade whether a missing or empty file may become a database.
 * @returns a sentence, or null if nothing is wrong.
 */
export function sqliteFileProblem(path: string, mayBeMade: boolean): Promise<string | null> {
  const looked = inLookTurn(() => problemOf(path, mayBeMade)).catch(() => silent);
  return Promise.race([looked, after(lookMilliseconds, silent, { ref: false })]);
}

const lookMilliseconds = 2_000;
const silent =
  "That file can't be read: its disk, or another that is looked at, doesn't answer. Try again once it does.";

async function problemOf(path: string, mayBeMade: boolean): Promise<string | null> {
  try {
    const start = await startOf(path);
    if (start === null) return 'That path is not a file; give the path of an SQLite database.';
    if (start === magic || (start === '' && mayBeMade)) return null;
    if (start === '') return 'That file is empty, so it is no database yet; --create makes it one.';
    return 'That file is no SQLite database, or an encrypted one; give the path of another.';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return `That file can't be read (${code}); make it readable for you.`;
    // A dangling link would create the file where it points.
    if (!mayBeMade || (await lstat(path).catch(() => null)) !== null)
      return 'There is no file at that path; correct it, or add --create to make an empty database there.';
    const folder = await stat(dirname(path)).catch(() => null);
    return folder?.isDirectory() ? null : 'The folder of that path does not exist; make it first.';
  }
}

/** @returns null if it is no regular file; a pipe is not waited for. */
async function startOf(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Turns a missing or empty file into a database. @returns a sentence if that failed. */
export async function makeSqliteFile(path: string): Promise<string | null> {
  try {
    if ((await stat(path).catch(() => null))?.size) return null;
    const database = openSqliteFile(path, { access: 'make', lockWaitMilliseconds: 0 });
    // Setting it writes the header, even with the same value.
    database.exec('pragma user_version = 0');
    database.close();
    return null;
  } catch (error) {
    return `The database can't be made at that path (${errorCode(error)}); choose a folder that you may write to.`;
  }
}
