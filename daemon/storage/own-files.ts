/**
 * Tells whether a path is one of Sallyport's own files (spec §6), by real path and by inode, so
 * links don't hide one.
 */

import { lstatSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { entriesInHome } from '../../shared/home-files.ts';
import type { FileIdentity } from '../access/privilege-increases/same-place.ts';

/**
 * Looks only into the home: another file system may never answer.
 * @param file what `path` leads to.
 * @returns a sentence for the caller to show; null if the file is not ours.
 */
export function ownFileProblem(home: string, path: string, file: FileIdentity): string | null {
  const sentence = `${path} is one of Sallyport's own files, which no connection may open.`;
  const realHome = realPathOf(home);
  const { realPath } = file;
  if (realPath === realHome || realPath.startsWith(realHome + sep)) return isDemo(realHome, file) ? null : sentence;
  return sharesInode(realHome, file) ? sentence : null;
}

function realPathOf(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    return home;
  }
}

/** The demo database is in the home for people to look at; it holds nothing of ours. */
export const demoFileName = 'demo.db';

function isDemo(realHome: string, file: FileIdentity): boolean {
  const demo = join(realHome, demoFileName);
  const isFile = lstatSync(demo, { throwIfNoEntry: false })?.isFile() === true;
  return file.realPath === demo && isFile && !sharesInode(realHome, file);
}

/**
 * A hard link, or a second mount of the home or of a file in it, has another path and the same
 * bytes.
 */
function sharesInode(realHome: string, { inode }: FileIdentity): boolean {
  // Neither the link count nor the home's device would make this check unnecessary: a mount has one
  // link, and on an overlay a folder's device differs from its files'.
  return inode !== null && ownInodes(realHome).has(inode);
}

function ownInodes(realHome: string): Set<string> {
  const inodes = new Set<string>();
  for (const entry of entriesInHome(realHome)) {
    if (!entry.isFile() || entry.name === demoFileName) continue;
    const stats = lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false, bigint: true });
    if (stats !== undefined) inodes.add(`${stats.dev}:${stats.ino}`);
  }
  return inodes;
}
