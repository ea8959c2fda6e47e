/**
 * Finds the file that a path leads to, so two paths to one file are recognised (spec §6, §11).
 * Follows links; opens nothing.
 */

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileIdentity } from '../access/privilege-increases/same-place.ts';

export async function fileIdentity(path: string): Promise<FileIdentity> {
  const plain = resolve(path);
  const realPathOr = (text: string): Promise<string | null> => realpath(text).catch(() => null);
  const realPath =
    (await realPathOr(plain)) ?? join((await realPathOr(dirname(plain))) ?? dirname(plain), basename(plain));
  return { realPath, inode: await inodeOf(plain) };
}

async function inodeOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
