/**
 * Writes the demo shop from shop.sql, first under a temporary name: a reader of the path sees the
 * old file or the complete new one.
 */

import { readFileSync, renameSync, rmSync } from 'node:fs';
import { isSea } from 'node:sea';
import { embeddedText } from '../../../shared/embedded.ts';
import { openSqliteFile } from '../../sqlite/open-file.ts';

/** The build puts it beside the program. */
const shop = new URL('shop.sql', import.meta.url);
/** SQLite would apply an old file's journal to the new one. */
const companions = ['-journal', '-wal', '-shm'];

/** @param filePath in an existing folder; an existing file is replaced. */
export async function makeDemoShop(filePath: string): Promise<void> {
  const unfinished = `${filePath}.unfinished-${process.pid}`;
  rmSync(unfinished, { force: true });
  try {
    const database = openSqliteFile(unfinished, { access: 'make' });
    try {
      database.exec(isSea() ? embeddedText('shop.sql') : readFileSync(shop, 'utf8'));
    } finally {
      database.close();
    }
    for (const companion of companions) rmSync(filePath + companion, { force: true });
    renameSync(unfinished, filePath);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
