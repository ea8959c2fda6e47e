/** Counts the rows of a table that DROP TABLE takes: SQLite deletes them without a trigger. */

import type { TableChange } from '../../query/database.ts';
import { quoteIdentifier } from '../../query/identifiers.ts';
import type { Handle } from './session.ts';
import type { SqliteValue } from './values.ts';

/** To be called before it runs. @returns null where the statement drops no table. */
export function droppedTable(handle: Handle, sql: string): TableChange | null {
  const steps = handle.prepare<[], SqliteValue[]>(`explain ${sql}`).raw().all();
  const name = steps.find(([, opcode]) => opcode === 'DropTable')?.[5];
  if (typeof name !== 'string') return null;
  const counted = handle.prepare<[], number>(`select count(*) from main.${quoteIdentifier('sqlite', name)}`).pluck();
  const rows = counted.get() ?? 0;
  return { table: name, updated: 0, deleted: rows, isEmptied: rows > 1, isChangedWhole: rows > 1 };
}
