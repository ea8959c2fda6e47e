/** Why a write's changed rows of one table may not stay (spec §7, Destructive by count). */

import type { AddedRows, TableChange } from '../engines/engine.ts';

/**
 * @returns a sentence without a full stop; null if they may stay.
 * @param spent rows of this table within the hour.
 */
export function refusalOf(change: TableChange, most: number, spent: number): string | null {
  const { table, isEmptied, isChangedWhole } = change;
  const what = `"${table.replaceAll('"', '""')}" (${rowWords(change)})`;
  if (isEmptied) return `it would have emptied ${what}`;
  if (isChangedWhole) return `it would have changed every row of ${what}`;
  if (spent + rowsOf(change) <= most) return null;
  return `it would have changed too many rows of ${what}: a token may change ${counted(most)} of a table in an hour${already(spent, 'changed')}`;
}

function already(spent: number, what: 'changed' | 'added'): string {
  return spent === 0 ? '' : `, and ${counted(spent)} ${spent === 1 ? 'was' : 'were'} ${what} already`;
}

/** Tells of rows added to a table what {@link refusalOf} tells of changed ones. */
export function refusalOfAdded({ table, rows }: AddedRows, most: number, spent: number): string | null {
  if (spent + rows <= most) return null;
  return `it would have added too many rows to "${table.replaceAll('"', '""')}" (${counted(rows)}): a token may add ${counted(most)} to a table in an hour${already(spent, 'added')}`;
}

/** `1,204 rows deleted`; `1 row updated, 3 rows deleted`. */
function rowWords({ updated, deleted }: TableChange): string {
  const parts = updated > 0 ? [`${counted(updated)} updated`] : [];
  return [...parts, ...(deleted > 0 ? [`${counted(deleted)} deleted`] : [])].join(', ');
}

function counted(rows: number): string {
  return `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
}

export function rowsOf({ updated, deleted }: TableChange): number {
  return updated + deleted;
}
