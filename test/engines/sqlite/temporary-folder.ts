/** A folder for one test file, and SQLite files that the driver alone makes in it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { SqliteFile } from '../../sqlite-file.ts';

/** @returns a function from a file name to its path. */
export function temporaryFolder(): (name: string) => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-sqlite-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return name => join(folder, name);
}

export function withDriver<T>(filePath: string, work: (database: SqliteFile) => T): T {
  const database = new SqliteFile(filePath);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
