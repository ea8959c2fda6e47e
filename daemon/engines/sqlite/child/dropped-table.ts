/** Counts the rows of a table that DROP TABLE takes: SQLite deletes them without a trigger. */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import { queryOn } from '../../../sqlite/query.ts';
import type { TableChange } from '../../engine.ts';
import type { Event } from './authorizer.ts';
import type { Handle } from './session.ts';

/** To be called before it runs. @returns null where the statement drops no table. */
export function droppedTable(handle: Handle, writes: readonly Event[]): TableChange | null {
  const dropped = writes.find(({ act: [action], schema }) => /^DROP_V?TABLE$/.test(action) && schema === 'main');
  if (dropped === undefined) return null;
  const [, name] = dropped.act;
  const rows = Number(queryOn(handle, `select count(*) from main.${quoteIdentifier('sqlite', name)}`).value());
  return { table: name, updated: 0, deleted: rows, isEmptied: rows > 1, isChangedWhole: rows > 1 };
}
