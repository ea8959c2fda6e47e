/**
 * Replaces the content of a person's file (users-file.ts): completely or not at all, keeping its
 * mode and group.
 */

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
import type { UsersFile } from './users-file.ts';

const ownerOnly = 0o600;

export interface Owner {
  readonly mode: number;
  /** Null for the user's own. */
  readonly gid: number | null;
}

/** @param isSecret true if nobody else may read it from now on. */
export function ownerOf({ stats }: UsersFile, isSecret: boolean): Owner {
  return { mode: stats.mode & (isSecret ? ownerOnly : 0o7777), gid: stats.gid };
}

/** @returns false if another program has written it meanwhile, and nothing was done. */
export function replaceContent({ path, bytes }: UsersFile, content: string | Buffer, owner: Owner): boolean {
  return writeWhole(path, content, owner, () => existsSync(path) && readFileSync(path).equals(bytes));
}

/** @returns false if another program made it meanwhile, and nothing was done. */
export function makeFile(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return writeWhole(path, text, { mode: ownerOnly, gid: null }, () => !existsSync(path));
}

/** Null if the file exists. */
export function openNew(path: string): number | null {
  try {
    return openSync(path, 'wx', ownerOnly);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

/** Writes the newly opened file to the disk, and closes it. */
export function finish(descriptor: number, content: string | Buffer, { mode, gid }: Owner): void {
  try {
    writeFileSync(descriptor, content);
    if (gid !== null) keepGroup(descriptor, gid);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @param isAsRead called at the last moment. */
export function writeWhole(path: string, content: string | Buffer, owner: Owner, isAsRead = () => true): boolean {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    finish(openSync(unfinished, 'wx', ownerOnly), content, owner);
    if (!isAsRead()) return false;
    renameSync(unfinished, path);
    return true;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function keepGroup(descriptor: number, gid: number): void {
  try {
    fchownSync(descriptor, -1, gid);
  } catch {
    // This user has left that group, so the file stays with the user's own group.
  }
}
