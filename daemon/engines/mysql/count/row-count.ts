/**
 * Counts in a statement's own transaction what it did to existing rows (spec §7, Destructive by
 * count). The session's counters tell how many rows the server updated and deleted, triggers
 * included. InnoDB's cascades are not in these counters. They show in how many rows have each value
 * of a foreign key, before the statement and after it.
 */

import type { RowEffects } from '../../../guard/types.ts';
import type { RowCounts, TableChange } from '../../engine.ts';
import { hasPrivilege } from '../follow/grants.ts';
import type { Session } from '../session.ts';
import { type Ask, cascadesFrom, type ReferencingTable, type TableName } from './cascades.ts';
import {
  asking,
  type Changed,
  countersMove,
  isEmptyNow,
  isSame,
  mostCounted,
  rowsOf,
  sizesOf,
  TableMissing,
  type Totals,
  totalsOf,
  Uncounted,
  type Values,
  valuesOf,
} from './row-questions.ts';

/**
 * A table of at most this many rows is compared row by row: a trigger that keeps a count changes
 * one row many times.
 */
const mostCompared = 100;
/** The same if the statement itself changes several tables, for which the server has one total. */
const mostComparedOfSeveral = 1_000;

/** A count that was begun before its statement. */
export interface Count {
  /** Why the statement can't be counted, known before it runs; null if it can. */
  readonly uncounted: string | null;
  /**
   * Call it once, after the statement.
   * @param affected the server's count; null if the statement gave rows.
   */
  rowCounts(affected: number | null): Promise<RowCounts>;
}

/**
 * Begins to count, before the statement runs.
 * @param rowEffects undefined if nothing says where the statement writes.
 */
export async function startCount(session: Session, rowEffects: RowEffects | undefined): Promise<Count> {
  const ask = asking(session);
  const no = (why: string): Count => ({
    uncounted: why,
    rowCounts: () => Promise.resolve({ tables: [], uncounted: why }),
  });
  if (rowEffects === undefined) return no('where it writes is not known');
  if (rowEffects.uncounted !== null) return no(rowEffects.uncounted);
  try {
    const grants = await grantsOf(session, ask);
    const partly = rowEffects.tables.find(({ schema }) => !hasPrivilege(grants, 'SELECT', { schema, name: null }));
    if (partly !== undefined) return no(partlySeen(partly));
    const followers =
      rowEffects.tables.length === 0
        ? []
        : await cascadesFrom(ask, rowEffects.tables, updatesAlone(rowEffects), mayAskInnodb(session, grants));
    const tables = [
      ...rowEffects.tables,
      ...followers.filter(follower => !rowEffects.tables.some(table => isSame(table, follower))),
    ];
    const distinct = tables.filter((table, index) => tables.findIndex(each => isSame(each, table)) === index);
    const isAlone = followers.length === 0 && distinct.length === 1 && rowEffects.countedTable !== null;
    const sizes = isAlone ? [] : await sizesOf(ask, distinct, mostCounted);
    const values: Values[] = [];
    for (const follower of followers) values.push(await valuesOf(ask, follower));
    const rows: (readonly string[] | null)[] = [];
    for (const [index, table] of distinct.entries()) {
      const mayCompare = isVague(rowEffects, table) && (sizes[index] ?? 0) <= comparedOf(rowEffects);
      rows.push(mayCompare ? await rowsOf(ask, table, comparedOf(rowEffects)) : null);
    }
    const before = await totalsOf(ask);
    return {
      uncounted: null,
      rowCounts: affected =>
        countedOrWhyNot(() =>
          changesSince(
            { ask, grants, rowEffects, isAlone, followers, distinct, sizes, values, rows, before },
            affected,
          ),
        ),
    };
  } catch (error) {
    if (error instanceof TableMissing) return { ...no(error.message), uncounted: null };
    if (error instanceof Uncounted) return no(error.message);
    throw error;
  }
}

async function countedOrWhyNot(count: () => Promise<RowCounts>): Promise<RowCounts> {
  try {
    return await count();
  } catch (error) {
    if (error instanceof Uncounted) return { tables: [], uncounted: error.message };
    throw error;
  }
}

/** True for an UPDATE of one table, without a trigger that changes another. */
function updatesAlone({ tables, countedTable }: RowEffects): boolean {
  return tables.length === 1 && countedTable?.rows === 'updated';
}

function mayAskInnodb(session: Session, grants: readonly string[]): boolean {
  return session.server === 'mariadb' && hasPrivilege(grants, 'PROCESS', { schema: '', name: null });
}

/**
 * A clause on why the count needs SELECT on a whole schema: a table without that right may have
 * foreign keys to a changed one, and they would not be listed.
 */
function partlySeen({ schema }: TableName): string {
  return `this account lacks the privilege SELECT on the whole of ${JSON.stringify(schema)}, so it may not see what foreign keys change`;
}

const grantsOfSessions = new WeakMap<Session, readonly string[]>();

async function grantsOf(session: Session, ask: Ask): Promise<readonly string[]> {
  const known = grantsOfSessions.get(session) ?? (await ask('SHOW GRANTS')).map(([line]) => String(line));
  grantsOfSessions.set(session, known);
  return known;
}

/** What was looked up before the statement. */
interface Before {
  readonly ask: Ask;
  readonly grants: readonly string[];
  readonly rowEffects: RowEffects;
  /** True if the statement changes nothing but its target. */
  readonly isAlone: boolean;
  /** The tables that cascades may change. */
  readonly followers: readonly ReferencingTable[];
  /** All tables that may be changed, each once. */
  readonly distinct: readonly TableName[];
  /** How many rows each of `distinct` had, at most one more than `mostCounted`; empty if alone. */
  readonly sizes: readonly number[];
  /** For each of `followers`: how many rows had each value of its foreign key. */
  readonly values: readonly Values[];
  /** Rows of small tables that the server's totals don't tell apart. */
  readonly rows: readonly (readonly string[] | null)[];
  readonly before: Totals;
}

async function changesSince(known: Before, affected: number | null): Promise<RowCounts> {
  const { ask, rowEffects, followers, distinct, sizes, before } = known;
  const after = await totalsOf(ask);
  const all = { updated: after.updated - before.updated, deleted: after.deleted - before.deleted };
  const doubt = whyDoubted(known, after, affected);
  if (doubt !== null) {
    const emptied = await emptiedAtOnce(known, affected ?? 0);
    if (emptied === null) throw new Uncounted(doubt);
    return { tables: emptied, uncounted: null };
  }
  if (all.updated === 0 && all.deleted === 0) {
    const isCompared = affected !== null && rowEffects.ownEffect !== null;
    if (!isCompared && !(await countersMove(ask, after))) throw new Uncounted("the server's counters stand still");
    return { tables: [], uncounted: null };
  }
  const isTriggered = after.triggers === null || after.triggers !== before.triggers;
  const why = isTriggered ? whyTriggersAreUnknown(known, all, affected) : null;
  if (why !== null) throw new Uncounted(why);
  const most = mostOfStatement(known, after, affected);
  if (rowEffects.tables.length === 0) {
    if (most !== null && rowEffects.ownEffect === 'adds' && all.deleted === 0) return { tables: [], uncounted: null };
    throw new Uncounted('something that this account cannot see changed rows');
  }
  const [only] = distinct;
  if (known.isAlone && only !== undefined) {
    const change = await changeOfOne(ask, only, changedDirectly(known, only, all, affected));
    return { tables: [change], uncounted: null };
  }
  const ownTotals = most === null ? all : atMost(all, most);
  const values: Values[] = [];
  for (const follower of followers) values.push(await valuesOf(ask, follower));
  const remaining = await sizesOf(ask, distinct, mostCounted);
  const tables: TableChange[] = [];
  for (const [index, table] of distinct.entries()) {
    const moved = followers.flatMap((follower, at) =>
      isSame(follower, table) ? [movedBetween(known.values[at] ?? new Map(), values[at] ?? new Map())] : [],
    );
    // If the table follows others, the totals may include cascades.
    const total = moved.length === 0 ? ownTotals : all;
    const isDirect = rowEffects.tables.some(each => isSame(each, table));
    const direct = isDirect ? changedDirectly(known, table, total, affected) : none;
    const seen = known.rows[index] ?? null;
    const missing =
      seen === null ? Number.POSITIVE_INFINITY : missingFrom(seen, await rowsOf(ask, table, comparedOf(rowEffects)));
    const deleted = Math.min(missing, Math.max(direct.deleted, ...moved.map(each => each.deleted)));
    const movedRows = moved.reduce((sum, each) => sum + each.updated, 0);
    const size = sizes[index] ?? 0;
    const most = size <= mostCounted ? Math.min(missing, size) : missing;
    const updated = Math.min(most - Math.min(most, deleted), Math.max(direct.updated, movedRows));
    if (updated === 0 && deleted === 0) continue;
    const left = remaining[index] ?? 0;
    tables.push({
      table: `${table.schema}.${table.name}`,
      updated,
      deleted,
      ...(isVague(rowEffects, table) && seen === null && { isMost: true }),
      isEmptied: size > 1 && (left === 0 || (deleted > 0 && size <= mostCounted && (await isEmptyNow(ask, table)))),
      isChangedWhole: size > 1 && (await isWhole(ask, table, size, updated, deleted)),
    });
  }
  return { tables, uncounted: null };
}

/**
 * A clause on why the counters can't be believed; null if they can. Servers that are almost MySQL
 * have the counters, and some never move them, or share a session among their clients. An inserted
 * row that replaces another counts twice. A statement that isn't a data change has no count to
 * compare with: `SELECT … INTO @a` tells the row that it read.
 */
function whyDoubted({ rowEffects, before }: Before, after: Totals, affected: number | null): string | null {
  const changed = after.updated - before.updated + (after.deleted - before.deleted);
  const most = rowEffects.countedTable === null ? 2 * (changed + after.written - before.written) : changed;
  if (affected === null || rowEffects.ownEffect === null || affected <= most) return null;
  return `the server says that it changed ${affected} rows, and its counters say ${most}`;
}

/**
 * MyISAM removes all rows of a table at once, and the counters stand still. So the tables are
 * looked at, which may be empty now.
 * @returns null if that doesn't explain the server's count.
 */
async function emptiedAtOnce(
  { ask, distinct, sizes, isAlone, rowEffects }: Before,
  affected: number,
): Promise<readonly TableChange[] | null> {
  if (rowEffects.countedTable !== null && rowEffects.countedTable.rows !== 'deleted') return null;
  const remaining = await sizesOf(ask, distinct, 1);
  if (remaining.some(left => left > 0)) return null;
  // The size of a table that changes alone was not looked up: it had as many as the server says.
  const had = isAlone ? [affected] : sizes;
  if (had.reduce((sum, rows) => sum + rows, 0) < Math.min(affected, mostCounted)) return null;
  return distinct.map(({ schema, name }, at) => {
    const deleted = had[at] ?? 0;
    return { table: `${schema}.${name}`, updated: 0, deleted, isEmptied: deleted > 1, isChangedWhole: false };
  });
}

/**
 * The most rows that the statement itself changed, without its cascades; null if nobody knows.
 * MySQL's totals include rows of its internal tables for grouping. If no trigger or routine ran,
 * the statement changed no more rows than `affected`.
 */
function mostOfStatement({ rowEffects, before }: Before, after: Totals, affected: number | null): number | null {
  const isAlone = rowEffects.ownEffect !== null && after.statements - before.statements === 1;
  return after.triggers === null && isAlone ? affected : null;
}

function atMost({ updated, deleted }: Changed, most: number): Changed {
  return { updated: Math.min(most, updated), deleted: Math.min(most, deleted) };
}

/**
 * A clause on why triggers may have changed rows unseen; null if they can't have. Without the
 * privilege TRIGGER a table's triggers aren't listed. If the totals equal the target's, no trigger
 * changed existing rows.
 */
function whyTriggersAreUnknown({ grants, rowEffects }: Before, all: Changed, affected: number | null): string | null {
  const own = rowEffects.countedTable === null ? null : { ...none, [rowEffects.countedTable.rows]: affected };
  if (own !== null && own.updated === all.updated && own.deleted === all.deleted) return null;
  const hidden = [...rowEffects.tables, ...rowEffects.insertedInto].find(
    table => !hasPrivilege(grants, 'TRIGGER', table),
  );
  if (hidden === undefined) return null;
  return `this account lacks the privilege TRIGGER on ${JSON.stringify(`${hidden.schema}.${hidden.name}`)}, so it may not see what triggers change`;
}

/**
 * The change of a table that changes alone. How many rows it had follows from the rows that are
 * left, which saves a query before each write by key.
 */
async function changeOfOne(ask: Ask, table: TableName, { updated, deleted }: Changed): Promise<TableChange> {
  const change = { table: `${table.schema}.${table.name}`, updated, deleted };
  // One row of one is the whole table; one of several isn't.
  if (deleted === 0 && updated <= 1) return { ...change, isEmptied: false, isChangedWhole: false };
  const [left = 0] = await sizesOf(ask, [table], Math.max(1, updated));
  const isOfSeveral = left + deleted > 1;
  return {
    ...change,
    isEmptied: isOfSeveral && deleted > 0 && (left === 0 || (await isEmptyNow(ask, table))),
    isChangedWhole: isOfSeveral && left <= updated,
  };
}

const none: Changed = { updated: 0, deleted: 0 };

/**
 * The most rows of this table that the statement and its triggers changed, without cascades. If
 * they write several tables, each of them may have every change that the target doesn't account
 * for: the number is never too small.
 */
function changedDirectly({ rowEffects }: Before, table: TableName, all: Changed, affected: number | null): Changed {
  const { countedTable } = rowEffects;
  if (countedTable === null || affected === null) return all;
  const own = { ...none, [countedTable.rows]: affected };
  if (isSame(countedTable, table)) return own;
  return { updated: Math.max(0, all.updated - own.updated), deleted: Math.max(0, all.deleted - own.deleted) };
}

/** True if the server's totals may be another table's, or count a row twice. */
function isVague({ tables, countedTable }: RowEffects, table: TableName): boolean {
  return tables.some(each => isSame(each, table)) && !(countedTable !== null && isSame(countedTable, table));
}

function comparedOf({ countedTable, tables }: RowEffects): number {
  return countedTable === null && tables.length > 1 ? mostComparedOfSeveral : mostCompared;
}

function missingFrom(before: readonly string[], after: readonly string[]): number {
  const left = new Map<string, number>();
  for (const row of after) left.set(row, (left.get(row) ?? 0) + 1);
  let missing = 0;
  for (const row of before) {
    const count = left.get(row) ?? 0;
    if (count === 0) missing += 1;
    else left.set(row, count - 1);
  }
  return missing;
}

/** A deleted row is missing under its value; an updated one appears under another. */
function movedBetween(before: Values, after: Values): Changed {
  let [fewer, more] = [0, 0];
  for (const value of new Set([...before.keys(), ...after.keys()])) {
    const difference = (after.get(value) ?? 0) - (before.get(value) ?? 0);
    if (difference < 0) fewer -= difference;
    else more += difference;
  }
  const deleted = Math.max(0, fewer - more);
  return { deleted, updated: fewer - deleted };
}

async function isWhole(ask: Ask, table: TableName, size: number, updated: number, deleted: number): Promise<boolean> {
  const changed = updated + deleted;
  if (size <= mostCounted) return changed >= size;
  if (changed <= mostCounted) return false;
  const [left = 0] = await sizesOf(ask, [table], updated);
  return left <= updated;
}
