/**
 * Writes files into the user's Downloads (spec §9, `export_data`). Each is a new file and never
 * replaces another. A sender that is faster than the disk has to wait. A file is named `.part`
 * until it is whole, and is deleted if it never is; the next start deletes what a kill left.
 */

import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open as openFile, rename, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, errorCode } from '../../disk-fault.ts';
import type { ExportedFile, OpenExport, OpenedExport } from '../../statement/exported-file.ts';
import type { Unfinished } from '../unfinished.ts';
import { downloadsFolder } from './downloads.ts';

const mib = 1024 * 1024;
/** How much is written at once; twice as much may wait in memory. */
const chunkCharacters = mib / 4;
/** How much is kept free on the disk: a full disk stops Sallyport's own writes and all else. */
const leastFreeBytes = 512 * mib;
const lookAtDiskEvery = 16 * mib;
const mostOfOneName = 1_000;
/** How long a stop waits until the exports of ended calls are removed. */
const settleMilliseconds = 2_000;
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * @param home Sallyport's own folder.
 * @param notes keeps which exports were begun, and has those that a kill left.
 */
export function openExports(
  home: string,
  notes: Pick<Unfinished, 'exportBegun' | 'leftExports'>,
  environment = process.env,
) {
  const unfinished = new Set<Promise<unknown>>();
  const swept = Promise.all(notes.leftExports.map(left => removeIfSame(left.path, left).finally(left.settled)));

  const open: OpenExport = async (name, extension) => {
    await swept;
    const found = await downloadsFolder(home, environment);
    if ('problem' in found) return { kind: 'problem', sentence: `Nothing can be exported: ${found.problem}` };
    const { folder } = found;
    if (!(await hasRoom(folder))) return { kind: 'problem', sentence: noRoomIn(folder) };
    for (let number = 1; number <= mostOfOneName; number += 1) {
      const path = join(folder, fileName(name, number, extension));
      try {
        if (await isThere(path)) continue;
        const handle = await openFile(partOf(path), flags, 0o600);
        const whole = (part: string): Promise<string> => giveName(part, folder, name, number, extension);
        return await opened(path, folder, handle, { unfinished, notes, whole });
      } catch (error) {
        // With ELOOP a symbolic link is there, which counts as another file.
        if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ELOOP') continue;
        return { kind: 'problem', sentence: sentenceOf(error, path) };
      }
    }
    return { kind: 'problem', sentence: tooMany(folder, name) };
  };

  return {
    open,
    /** Resolves once every export is whole or gone. */
    async settled(): Promise<void> {
      const patience = new Promise(resolve => setTimeout(resolve, settleMilliseconds).unref());
      await Promise.race([Promise.all(unfinished), patience]);
    },
  };
}

function fileName(name: string, number: number, extension: string): string {
  return `${name}${number === 1 ? '' : `-${number}`}.${extension}`;
}

function partOf(path: string): string {
  return `${path}.part`;
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** Deletes an export's file, but no other that the user has put in its place. */
async function removeIfSame(path: string, { dev, ino }: { readonly dev: number; readonly ino: number }): Promise<void> {
  const now = await lstat(path).catch(() => null);
  if (now !== null && now.dev === dev && now.ino === ino) await unlink(path).catch(() => {});
}

/**
 * Gives a whole file its final name. Numbers are tried from the one that it began with, as another
 * file may have that name by now.
 * @returns the final path.
 */
async function giveName(part: string, folder: string, name: string, from: number, extension: string): Promise<string> {
  for (let number = from; number <= mostOfOneName; number += 1) {
    const path = join(folder, fileName(name, number, extension));
    try {
      await putAt(part, path);
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new TooManyFiles(tooMany(folder, name));
}

/** Moves a file to a path, and never replaces a file there. @throws Error with code EEXIST */
async function putAt(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
    await unlink(part);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error))) throw error;
    const reserved = await openFile(path, flags, 0o600);
    await reserved.close();
    await rename(part, path);
  }
}

/** Errors of file systems without hard links (FAT, some network shares). */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

class TooManyFiles extends Error {}

function tooMany(folder: string, name: string): string {
  return `${folder} has too many files named ${name}; name another.`;
}

interface HowOpened {
  readonly unfinished: Set<Promise<unknown>>;
  readonly notes: Pick<Unfinished, 'exportBegun'>;
  readonly whole: (part: string) => Promise<string>;
}

async function opened(
  wanted: string,
  folder: string,
  handle: FileHandle,
  { unfinished, notes, whole }: HowOpened,
): Promise<OpenedExport> {
  const part = partOf(wanted);
  const { dev, ino } = await handle.stat();
  const ended = notes.exportBegun({ path: part, dev, ino });
  let path = wanted;
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let writing: Promise<void> | null = null;
  let sinceLook = 0;
  let problem: string | null = null;
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  unfinished.add(finished);
  void finished.then(() => {
    unfinished.delete(finished);
    ended();
  });

  async function writeOn(): Promise<void> {
    const bytes = Buffer.from(waiting.join(''));
    waiting = [];
    waitingCharacters = 0;
    try {
      sinceLook += bytes.length;
      if (sinceLook >= lookAtDiskEvery) {
        sinceLook = 0;
        if (!(await hasRoom(folder))) problem ??= noRoomIn(folder);
      }
      if (problem === null) await handle.writeFile(bytes);
    } catch (error) {
      problem ??= sentenceOf(error, path);
    }
    // After a problem no further turn begins: it would end before `writing` is set to it.
    writing = problem === null && waitingCharacters >= chunkCharacters ? writeOn() : null;
  }

  const file: ExportedFile = {
    get path() {
      return path;
    },
    write(text) {
      if (problem !== null) return;
      waiting.push(text);
      waitingCharacters += text.length;
      if (waitingCharacters >= chunkCharacters) writing ??= writeOn();
    },
    full: () => (waitingCharacters >= chunkCharacters ? writing : null),
    problem: () => problem,
    async close() {
      while (writing !== null) await writing;
      await writeOn();
      await handle.close().catch(error => {
        problem ??= sentenceOf(error, path);
      });
      if (problem !== null) return problem;
      try {
        path = await whole(part);
        finish();
      } catch (error) {
        problem = error instanceof TooManyFiles ? error.message : sentenceOf(error, path);
      }
      return problem;
    },
    async remove() {
      problem ??= 'It was removed.';
      while (writing !== null) await writing;
      await handle.close().catch(() => {});
      await removeIfSame(part, { dev, ino });
      finish();
    },
  };
  return { kind: 'opened', file };
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= leastFreeBytes;
}

function noRoomIn(folder: string): string {
  return `The disk of ${folder} has less than 512 MiB left, which is kept free; ask the user to make room.`;
}

function sentenceOf(error: unknown, path: string): string {
  return `${diskFault(error, path) ?? `${path} can't be written (${errorCode(error)})`}.`;
}
