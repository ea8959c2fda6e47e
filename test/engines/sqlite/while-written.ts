/**
 * A read of SQLite that takes as long as a test wants it to, and no processor: it waits while
 * another program writes in its file.
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
