/**
 * Which files of a home are searched: all, except those that a box may have put into its folder,
 * and never through a link.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { entriesInHome } from '../../shared/home-files.ts';

test('a home is searched once, though links lead back into it', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-home-files-')));
  try {
    for (const folder of ['logs', 'logs/older', 'boxes', 'boxes/work']) mkdirSync(join(home, folder));
    for (const file of ['store.json', 'logs/older/a.log', 'boxes/work/planted']) writeFileSync(join(home, file), '');
    for (const link of ['home', 'logs/home', 'logs/older/home', 'boxes/work/home']) symlinkSync(home, join(home, link));
    const found = entriesInHome(home).map(({ parentPath, name }) => relative(home, join(parentPath, name)));
    expect(found.sort()).toEqual(
      ['home', 'logs', 'logs/home', 'logs/older', 'logs/older/a.log', 'logs/older/home', 'store.json'].sort(),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
