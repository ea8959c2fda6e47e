/**
 * Knows the home's files and folders by device and inode: a bind mount leads to them under another
 * path, and they have no second name by it.
 */

import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { locationsIn } from '../../../shared/locations.ts';

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * @param opened the file at the path. A folder may be swapped while it is opened, so what was
 *   opened counts, and not its path alone.
 * @returns true if the file, or a folder above it, is one of the home.
 */
export async function isInHome(path: string, home: string, opened: Identity | null): Promise<boolean> {
  const ofHome = await identitiesIn(home);
  if (opened !== null && ofHome.has(keyOf(opened))) return true;
  let folder = await realpath(dirname(path));
  for (;;) {
    if (ofHome.has(keyOf(await stat(folder, { bigint: true })))) return true;
    const above = dirname(folder);
    if (above === folder) return false;
    folder = above;
  }
}

/** Reads no box's folder: a box may have put any number of entries there, and locked them. */
async function identitiesIn(home: string): Promise<ReadonlySet<string>> {
  const { boxes } = locationsIn(home);
  const paths = [await realpath(home)];
  const folders = [home];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(error => ifUnreadable(error, folder === home));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      paths.push(path);
      if (!entry.isDirectory()) continue;
      if (folder === boxes) paths.push(join(path, boxToken));
      else folders.push(path);
    }
  }
  // Some end meanwhile.
  const found = await Promise.all(paths.map(path => lstat(path, { bigint: true }).catch(() => null)));
  return new Set(found.filter(each => each !== null).map(keyOf));
}

/** The only file of ours in a box's folder that isn't a socket, which nobody can open. */
const boxToken = 'token.env';

/** A folder may end meanwhile, or be the system's own, as a disk's `lost+found`. */
function ifUnreadable(error: NodeJS.ErrnoException, isHome: boolean): [] {
  if (isHome || !['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) throw error;
  return [];
}

const keyOf = ({ dev, ino }: Identity): string => `${dev}:${ino}`;
