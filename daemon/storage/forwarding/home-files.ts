/**
 * Knows the home's files and folders by device and inode: a bind mount leads to them under another
 * path, and they have no second name by it.
 */

import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

async function identitiesIn(home: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = [await realpath(home), ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  // Some end meanwhile.
  const found = await Promise.all(paths.map(path => lstat(path, { bigint: true }).catch(() => null)));
  return new Set(found.filter(each => each !== null).map(keyOf));
}

const keyOf = ({ dev, ino }: Identity): string => `${dev}:${ino}`;
