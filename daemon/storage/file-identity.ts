/**
 * Finds the file that a path leads to, so two paths to one file are recognised (spec §6, §11).
 * Follows links; opens nothing.
 */

import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileIdentity } from '../access/privilege-increases/same-place.ts';

export function fileIdentity(path: string): FileIdentity {
  const plain = resolve(path);
  const realPath = realPathOf(plain) ?? join(realPathOf(dirname(plain)) ?? dirname(plain), basename(plain));
  return { realPath, inode: inodeOf(plain) };
}

/** @returns null if there is nothing, or it can't be examined. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function inodeOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
