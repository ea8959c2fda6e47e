/**
 * Writes the demo shop, which shop.sql makes. Under a temporary name first, so that whoever reads
 * the path sees the old file or the whole new one.
 */

import { readFileSync, renameSync, rmSync } from 'node:fs';
import { openSqliteFile } from '../../sqlite/open-file.ts';

/** The build puts it beside the program. */
const shop = new URL('shop.sql', import.meta.url);
/** SQLite would take a journal left by an older file for the new one's. */
const companions = ['-journal', '-wal', '-shm'];

/** @param filePath in a folder that exists; a file there is replaced. */
export async function makeDemoShop(filePath: string): Promise<void> {
  const unfinished = `${filePath}.unfinished-${process.pid}`;
  rmSync(unfinished, { force: true });
  try {
    const database = openSqliteFile(unfinished, { access: 'make' });
    try {
      database.exec(readFileSync(shop, 'utf8'));
    } finally {
      database.close();
    }
    for (const companion of companions) rmSync(filePath + companion, { force: true });
    renameSync(unfinished, filePath);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
