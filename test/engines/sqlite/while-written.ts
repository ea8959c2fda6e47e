/**
 * A read of SQLite that takes as long as a test wants, and no processor time: it waits while
 * another program writes to its file.
 */

import { SqliteFile } from '../../sqlite-file.ts';

export async function whileWritten<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const writer = new SqliteFile(file);
  writer.exec('begin exclusive');
  try {
    return await work();
  } finally {
    writer.close();
  }
}
