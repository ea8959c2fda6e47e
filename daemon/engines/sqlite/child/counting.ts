/**
 * Counts the rows that a statement updates and deletes on SQLite while it runs, cascades and
 * triggers included. Temporary triggers of ours report each row; they fire before the file's own.
 * REPLACE deletes rows without firing a trigger, so if it may occur, rows are counted before and
 * after.
 */

import { randomBytes } from 'node:crypto';
import { quoteIdentifier } from '../../../guard/identifiers.ts';
import { queryOn } from '../../../sqlite/query.ts';
import type { RowCounts, TableChange } from '../../engine.ts';
import type { Event } from './authorizer.ts';
import { type ConcernedTable, concernedTables } from './concerned-tables.ts';
import { type Prepared, rowsOf } from './prepared.ts';
import type { Handle } from './session.ts';
import type { SqliteValue } from './values.ts';
import { type Key, WatchedRows } from './watched-rows.ts';

/** @returns what was done; call it once the statement has ended. */
type Counting = () => RowCounts;

const nothing: RowCounts = { tables: [], uncounted: null };
/** Counting so many rows takes some tens of milliseconds. */
const mostCounted = 1_000_000;

/** Call it in the statement's transaction before it runs. */
export function countChanges(handle: Handle, { source, writes }: Prepared): Counting {
  if (writes.length === 0) return () => nothing;
  const { tables, uncounted } = concernedTables(handle, source, writes);
  // A dropped table also takes rows of other tables, by foreign keys.
  const dropped = droppedTable(handle, writes);
  const others =
    dropped === null ? tables : tables.filter(({ name, isVirtual }) => name !== dropped.table && !isVirtual);
  const counting = others.length === 0 ? () => nothing : watch(handle, others, writes[0]?.act[0] === 'INSERT');
  return () => ({
    tables: [...(dropped === null ? [] : [dropped]), ...counting().tables].filter(isChanged),
    uncounted,
  });
}

/**
 * The rows that DROP TABLE takes, counted before it runs, as SQLite deletes them without a trigger.
 * Null if the statement drops no table.
 */
function droppedTable(handle: Handle, writes: readonly Event[]): TableChange | null {
  const dropped = writes.find(({ act: [action], schema }) => /^DROP_V?TABLE$/.test(action) && schema === 'main');
  if (dropped === undefined) return null;
  const [, name] = dropped.act;
  const rows = Number(queryOn(handle, `select count(*) from main.${quoteIdentifier('sqlite', name)}`).value());
  return { table: name, updated: 0, deleted: rows, isEmptied: rows > 1, isChangedWhole: rows > 1 };
}

function isChanged({ updated, deleted }: TableChange): boolean {
  return updated + deleted > 0;
}

interface Watched {
  readonly rows: WatchedRows;
  look(): TableChange;
}

/**
 * Watches tables by temporary triggers.
 * @param adds true if the statement itself is an INSERT.
 */
function watch(handle: Handle, tables: readonly ConcernedTable[], adds: boolean): Counting {
  // The name is random: a statement that knew it could write there itself.
  const log = `sallyport_${randomBytes(16).toString('hex')}`;
  handle.exec(`create temp table ${log} (place, event, old_key, new_key)`);
  handle.counting(`${log}_`);
  const watched = tables.map((table, at) => watchTable(handle, table, at, log, adds));
  return () => {
    const events = handle.prepare(`select * from temp.${log} order by rowid`);
    events.setReturnArrays(true);
    events.setReadBigInts(true);
    for (const [place, event, from = null, to = null] of events.iterate() as Iterable<unknown> as Iterable<
      SqliteValue[]
    >) {
      const rows = watched[Number(place)]?.rows;
      if (event === 'insert') rows?.insert(keyOf(to));
      else if (event === 'update') rows?.update(keyOf(from), keyOf(to));
      else rows?.delete(keyOf(from));
    }
    return { tables: watched.map(({ look }) => look()).filter(isChanged), uncounted: null };
  };
}

function watchTable(handle: Handle, table: ConcernedTable, at: number, log: string, adds: boolean): Watched {
  const holder = `main.${quoteIdentifier('sqlite', table.holder)}`;
  const key = keyIn(handle, table.holder);
  // A virtual table's module inserts existing rows again, so its inserts say nothing.
  for (const event of table.isVirtual ? ['update', 'delete'] : ['insert', 'update', 'delete']) {
    const [from, to] = [event === 'insert' ? 'null' : key.of('old'), event === 'delete' ? 'null' : key.of('new')];
    const insert = `insert into ${log} values (${at}, '${event}', ${from}, ${to});`;
    const [of, when] =
      event === 'update' && table.isVirtual && key.isOfTree ? ['of a0', 'when old.a0 is not null'] : ['', ''];
    const trigger = `create temp trigger ${log}_${at}_${event} after ${event} ${of} on ${holder} ${when} begin ${insert} end`;
    define(handle, table.isVirtual, trigger);
  }
  const rows = new WatchedRows();
  const counted = queryOn(handle, `select count(*) from (select 1 from ${holder} limit ?)`);
  const countUpTo = (most: number): number => Number(counted.value(most));
  if (!table.mayLoseUnseen) return { rows, look: () => seenChange(table.name, rows, countUpTo) };
  const before = countUpTo(mostCounted + 1);
  const look = () => {
    if (before > mostCounted) return boundedChange(table.name, rows, before, uniqueKeys(handle, table.holder));
    const there = key.isRowid ? handle.prepare(`select 1 from ${holder} where ${key.of('')} = ?`) : null;
    const now = countUpTo(mostCounted + 1 + rows.inserted);
    const isThere = there && ((one: Key) => there.get(one) !== undefined);
    const fresh = Math.min(now, rows.stillFresh(isThere));
    const again = cameBack(table, rows, before - now, isThere);
    const deleted = Math.max(rows.deleted - again, before - (now - fresh));
    const change = changeOf(table.name, rows.updated + again, deleted, before, now === 0);
    // An INSERT that empties a full-text table is its command `delete-all`; it doesn't pick rows.
    return table.isVirtual && adds ? { ...change, isEmptied: before > 0 && now === 0 } : change;
  };
  return { rows, look };
}

function cameBack(
  { comesBack }: ConcernedTable,
  rows: WatchedRows,
  fewer: number,
  isThere: ((key: Key) => boolean) | null,
): number {
  if (comesBack === 'asMany') return Math.max(0, rows.deleted - Math.max(0, fewer));
  return comesBack === 'byKey' && isThere !== null ? rows.stillThere(isThere) : 0;
}

/** Every deletion was seen, so the old count follows from the present one. */
function seenChange(name: string, seen: WatchedRows, countUpTo: (most: number) => number): TableChange {
  const { updated, deleted } = seen;
  if (updated + deleted === 0) return changeOf(name, 0, 0, 0, false);
  const fresh = seen.stillFresh(null);
  const now = countUpTo(fresh + updated + 1);
  const left = Math.max(0, now - fresh);
  return changeOf(name, updated, deleted, deleted + (seen.isExact ? left : Math.max(left, updated)), now === 0);
}

/**
 * The change of a table that is too large to count: each written row may have replaced one row for
 * each unique key.
 */
function boundedChange(name: string, seen: WatchedRows, before: number, keys: number): TableChange {
  const unseen = keys * (seen.inserted + seen.updated);
  return changeOf(name, seen.updated, seen.deleted + unseen, before, false);
}

function changeOf(table: string, updated: number, deleted: number, before: number, isEmpty: boolean): TableChange {
  return {
    table,
    updated,
    deleted,
    isEmptied: before > 1 && isEmpty,
    isChangedWhole: before > 1 && updated + deleted >= before,
  };
}

/**
 * Makes a trigger. A virtual table's own tables may have one only while the handle allows writes to
 * SQLite's own tables.
 */
function define(handle: Handle, isModules: boolean, trigger: string): void {
  if (isModules) handle.enableDefensive(false);
  try {
    handle.exec(trigger);
  } finally {
    handle.enableDefensive(true);
  }
}

function keyOf(value: SqliteValue): Key {
  if (typeof value === 'string') return value;
  if (typeof value !== 'bigint') return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

interface RowKey {
  readonly isRowid: boolean;
  /**
   * True for the rows of an R-tree or geopoly table with columns beside its box. The module writes
   * those from `a0` on in a second step, to a row that it has just inserted; and it moves rows to
   * other nodes.
   */
  readonly isOfTree: boolean;
  /** An expression with a different value for each row. */
  of(row: 'old' | 'new' | ''): string;
}

function keyIn(handle: Handle, table: string): RowKey {
  const columns = rowsOf(
    handle,
    `select c.name, c.pk, t.wr from temp.pragma_table_list(?) as t, temp.pragma_table_xinfo(t.name, 'main') as c where t.schema = 'main'`,
    table,
  ).map(([name, pk, wr]) => ({ name: String(name), pk: Number(pk), isWithoutRowid: wr !== 0n }));
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find(name => !names.has(name));
  if (columns[0]?.isWithoutRowid === false) {
    return {
      isRowid: rowid !== undefined,
      isOfTree: names.has('nodeno') && names.has('a0'),
      of: row => (rowid === undefined ? 'null' : row === '' ? rowid : `${row}.${rowid}`),
    };
  }
  const primary = columns.filter(({ pk }) => pk > 0).map(({ name }) => quoteIdentifier('sqlite', name));
  return {
    isRowid: false,
    isOfTree: false,
    of: row => primary.map(column => exactText(row === '' ? column : `${row}.${column}`)).join(" || ',' || "),
  };
}

/** An expression whose text differs for any two values; `quote` would stop at a NUL. */
function exactText(column: string): string {
  return `typeof(${column}) || case typeof(${column}) when 'real' then printf('%!.20g', ${column}) else hex(${column}) end`;
}

function uniqueKeys(handle: Handle, table: string): number {
  return (
    1 + Number(queryOn(handle, `select count(*) from temp.pragma_index_list(?, 'main') where "unique"`).value(table))
  );
}
