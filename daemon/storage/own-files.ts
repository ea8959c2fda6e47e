/**
 * Tells whether a path is one of Sallyport's own files (spec §6), by real path and by inode, so
 * links don't hide one.
 */

import { lstatSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { entriesInHome } from '../../shared/home-files.ts';
import { realPathOf } from './file-identity.ts';

/** @returns a sentence for the caller to show; null if the file is not ours. */
export function ownFileProblem(home: string, path: string): string | null {
  const sentence = `${path} is one of Sallyport's own files, which no connection may open.`;
  const realHome = realPathOf(home) ?? home;
  const real = realPathOf(path) ?? join(realPathOf(dirname(path)) ?? dirname(path), path.slice(dirname(path).length));
  if (real === realHome || real.startsWith(realHome + sep)) return isDemo(realHome, real) ? null : sentence;
  return sharesInode(realHome, path) ? sentence : null;
}

/** The demo database is in the home for people to look at; it holds nothing of ours. */
export const demoFileName = 'demo.db';

function isDemo(realHome: string, real: string): boolean {
  const demo = join(realHome, demoFileName);
  return real === demo && lstatSync(real, { throwIfNoEntry: false })?.isFile() === true && !sharesInode(realHome, real);
}

/**
 * A hard link, or a second mount of the home or of a file in it, has another path and the same
 * bytes.
 */
function sharesInode(realHome: string, path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  // Neither the link count nor the home's device would make this check unnecessary: a mount has one
  // link, and on an overlay a folder's device differs from its files'.
  return stats !== undefined && ownInodes(realHome).has(`${stats.dev}:${stats.ino}`);
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
