/** Puts another text in the place of a client's file: whole or not at all, with what was there kept beside it. */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FoundFile } from './client-file.ts';

const ownerOnly = 0o600;

/** @returns where what stood there is kept; null when the client has written its file in the meantime, and nothing was done. */
export function replaceFile(found: FoundFile, text: string, isSecret: boolean): string | null {
  const { path, bytes, mark, stats } = found;
  const mode = stats.mode & (isSecret ? ownerOnly : 0o7777);
  const owner = { mode, gid: stats.gid };
  const backup = keep(path, bytes, owner);
  const isAsRead = () => existsSync(path) && readFileSync(path).equals(bytes);
  // Where it was not written the backup stays: another run may have found it, and count on it.
  return write(path, `${mark}${text}`, owner, isAsRead) ? backup : null;
}

/** @returns false when somebody else made it in the meantime, and nothing was done. */
export function makeFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return write(path, text, { mode: ownerOnly, gid: null }, () => !existsSync(path));
}

interface Owner {
  readonly mode: number;
  /** Null for the user's own. */
  readonly gid: number | null;
}

/** A backup is never overwritten; one that has the same content serves. */
function keep(path: string, bytes: Buffer, owner: Owner): string {
  for (let number = 1; ; number += 1) {
    const backup = `${path}.before-sallyport${number === 1 ? '' : `-${number}`}`;
    const descriptor = openNew(backup);
    if (descriptor !== null) return finishOrRemove(backup, descriptor, bytes, owner);
    if (readFileSync(backup).equals(bytes)) return backup;
  }
}

/** Null where there is such a file. */
function openNew(path: string): number | null {
  try {
    return openSync(path, 'wx', ownerOnly);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

/** Half a backup would look like a whole one. */
function finishOrRemove(path: string, descriptor: number, bytes: Buffer, owner: Owner): string {
  try {
    finish(descriptor, bytes, owner);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** @param isAsRead asked at the last moment. */
function write(path: string, text: string, owner: Owner, isAsRead: () => boolean): boolean {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    finish(openSync(unfinished, 'wx', ownerOnly), text, owner);
    if (!isAsRead()) return false;
    renameSync(unfinished, path);
    return true;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function finish(descriptor: number, content: string | Buffer, { mode, gid }: Owner): void {
  try {
    writeFileSync(descriptor, content);
    if (gid !== null) keepGroup(descriptor, gid);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepGroup(descriptor: number, gid: number): void {
  try {
    fchownSync(descriptor, -1, gid);
  } catch {
    // A group that this user isn't in any more: the file stays with the user's own.
  }
}
