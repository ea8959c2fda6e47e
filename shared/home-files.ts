/**
 * Lists a home's files: every entry of its folders; follows no link. Leaves out the folders of
 * boxes, because boxes write there.
 */

import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { locationsIn } from './locations.ts';

/**
 * All entries in a home, except for boxes. It doesn't use `recursive` of readdir, which follows
 * links and circles for ever if one leads back.
 */
export function entriesInHome(home: string): Dirent[] {
  const boxes = basename(locationsIn(home).boxes);
  const found: Dirent[] = [];
  const folders = [home];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (folder === home && entry.name === boxes) continue;
      found.push(entry);
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  return found;
}
