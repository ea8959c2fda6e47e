/** Adds to the account of changed rows, and forgets its oldest minutes, in the thread that writes. */

import type { Database } from 'better-sqlite3';
import type { SpentRows } from '../../query/changed-rows.ts';

export function keepChangedRows(
  database: Database,
  { timeKey, time }: { readonly timeKey: string; readonly time: string },
  spent: readonly SpentRows[],
  oldestMinute: number,
): void {
  const keep = database.transaction(() => {
    database.prepare('insert or replace into store (key, value) values (?, ?)').run(timeKey, time);
    const add = database.prepare(
      `insert into changed_rows (account, place, minute, rows) values (@account, @place, @minute, @rows)
        on conflict do update set rows = rows + excluded.rows`,
    );
    for (const each of spent) add.run(each);
    database.prepare('delete from changed_rows where minute < ?').run(oldestMinute);
  });
  // No program's end loses it. A machine's may, until the disk has the activity log's row on how the write ended, for which its
  // client waits: that takes this along.
  database.pragma('synchronous = normal');
  try {
    keep.immediate();
  } finally {
    database.pragma('synchronous = full');
  }
}
