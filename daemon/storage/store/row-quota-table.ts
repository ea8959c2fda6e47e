/** Adds to the count of changed rows and deletes its oldest minutes, in the writing thread. */

import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../sqlite/open-file.ts';
import type { SpentRows } from '../../statement/spent-rows.ts';

export function storeRowQuota(
  database: DatabaseSync,
  { timeKey, time }: { readonly timeKey: string; readonly time: string },
  spent: readonly SpentRows[],
  oldestMinute: number,
): void {
  const keep = () => {
    database.prepare('insert or replace into store (key, value) values (?, ?)').run(timeKey, time);
    const add = database.prepare(
      `insert into changed_rows (account, place, minute, rows) values (@account, @place, @minute, @rows)
        on conflict do update set rows = rows + excluded.rows`,
    );
    for (const each of spent) add.run({ ...each });
    database.prepare('delete from changed_rows where minute < ?').run(oldestMinute);
  };
  // The end of a program loses nothing. A machine's crash may, until the activity log's row about
  // the write's end is on disk; the client waits for that row, and it takes this along.
  database.exec('pragma synchronous = normal');
  try {
    inTransaction(database, keep);
  } finally {
    database.exec('pragma synchronous = full');
  }
}
