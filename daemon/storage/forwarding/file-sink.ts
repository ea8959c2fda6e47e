/**
 * Appends records to a file, and keeps it small: at 64 MB it becomes FILE.1, what is older moves
 * on, up to FILE.4. Follows no link, and writes whole lines alone.
 */

import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { isInHome } from './home-files.ts';
import { recordLine } from './record.ts';
import type { Sink } from './sink.ts';

const mostBytes = 64 * 1024 * 1024;
const mostKept = 4;
const flags = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const asNew = flags | constants.O_CREAT | constants.O_EXCL;

/**
 * @param mode of a new file.
 * @param home the folder whose files it leaves alone.
 * @param most bytes of one file.
 */
export function fileSink(path: string, mode: number, home: string, most = mostBytes): Sink {
  let file: FileHandle | null = null;

  async function reopened(): Promise<FileHandle> {
    // A linked folder, a mount, or a second name of a file may lead to the secrets.
    await throwIfInHome();
    const made = await open(path, asNew, mode).catch(ifTaken);
    const opened = made ?? (await open(path, flags));
    const stats = await opened.stat({ bigint: true });
    try {
      const problem = problemOf(stats);
      if (problem !== null) throw new Error(`${path} ${problem}`);
      await throwIfInHome(stats);
    } catch (error) {
      await opened.close();
      throw error;
    }
    // The process's umask may have taken the group's right; a file that was there keeps its mode.
    if (made !== null) await opened.chmod(mode);
    // A kill may have left half a line, which the next would be glued to.
    else if (!(await endsWhole(opened, Number(stats.size)))) await opened.appendFile('\n');
    return opened;
  }

  async function throwIfInHome(opened: BigIntStats | null = null): Promise<void> {
    if (await isInHome(path, home, opened)) throw new Error(`${path} is in Sallyport's own folder`);
  }

  /** The file at the path: another program may have moved the one that we had. */
  async function current(): Promise<FileHandle> {
    if (file !== null) {
      const [here, had] = await Promise.all([stat(path).catch(() => null), file.stat()]);
      if (here !== null && here.ino === had.ino && here.dev === had.dev) return file;
      await file.close();
      file = null;
    }
    file = await reopened();
    return file;
  }

  async function rotated(handle: FileHandle): Promise<FileHandle> {
    await handle.close();
    file = null;
    for (let number = mostKept - 1; number > 0; number--) {
      await throwIfInHome();
      await rename(`${path}.${number}`, `${path}.${number + 1}`).catch(ifThere);
    }
    await throwIfInHome();
    await rename(path, `${path}.1`);
    return current();
  }

  return {
    async write(records) {
      const text = Buffer.from(records.map(record => `${recordLine(record)}\n`).join(''));
      try {
        let handle = await current();
        let { size } = await handle.stat();
        if (size > 0 && size + text.length > most) {
          handle = await rotated(handle);
          size = (await handle.stat()).size;
        }
        try {
          await handle.appendFile(text);
          // The place that we came to is synced, too, and must not be ahead of the file.
          await handle.datasync();
        } catch (error) {
          // On a full disk a part may have been written.
          await handle.truncate(size).catch(() => {});
          throw error;
        }
      } catch (error) {
        throw new Error(clauseOf(path, error));
      }
    },
    close() {
      void file?.close().catch(() => {});
      file = null;
    },
  };
}

function problemOf(stats: BigIntStats): string | null {
  if (!stats.isFile()) return 'is no file';
  if (Number(stats.uid) !== process.getuid?.()) return "isn't yours";
  return stats.nlink > 1n ? 'has a second name' : null;
}

function ifTaken(error: NodeJS.ErrnoException): null {
  if (error.code !== 'EEXIST') throw error;
  return null;
}

async function endsWhole(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === lineFeed;
}

const lineFeed = 0x0a;

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function clauseOf(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === null) return error instanceof Error ? error.message : String(error);
  return code === 'ELOOP' ? `${path} is a link` : `${path} can't be written (${code})`;
}
