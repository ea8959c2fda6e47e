/**
 * What stands in a home: every entry of its folders, no link followed. The folders of boxes are
 * left out: what is in them is the boxes' doing.
 */

import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { locationsIn } from './locations.ts';

/**
 * Not readdir's own `recursive`: that goes through links, and round and round where one leads back.
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
