/**
 * The tables whose rows a statement may change, with everything that it sets off: SQLite itself
 * names what the statement, each trigger and each action of a foreign key write to.
 */

import type { Event } from './authorizer.ts';
import { rowsOf } from './prepared.ts';
import { rebuiltBy } from './rebuilt.ts';
import type { Handle } from './session.ts';

export interface ConcernedTable {
  /** For people; the rows of a virtual table are those of a table behind it. */
  readonly name: string;
  readonly holder: string;
  /**
   * True if rows may be deleted unseen, by REPLACE or a virtual table's module: they are counted
   * before and after.
   */
  readonly mayLoseUnseen: boolean;
  readonly isVirtual: boolean;
  /**
   * Which deleted rows of a virtual table are updated ones, as modules, and the triggers that keep
   * an index of texts, delete a row and insert it again: as many as there are rows afterwards,
   * those whose key is there, or none.
   */
  readonly comesBack: 'asMany' | 'byKey' | 'none';
}

interface Concerned {
  readonly tables: readonly ConcernedTable[];
  /** A clause. */
  readonly uncounted: string | null;
}

const changing = new Set(['DELETE', 'INSERT', 'UPDATE']);

/** A call of the function `replace` is no conflict clause. */
const replaces = /\breplace(?!\s*\()/i;

/** Tables in which a module keeps one row for each row of its virtual table. */
const rowHolders: ReadonlyMap<string, readonly string[]> = new Map([
  ['fts3', ['content', 'docsize']],
  ['fts4', ['content', 'docsize']],
  ['fts5', ['content', 'docsize']],
  ['rtree', ['rowid']],
  ['rtree_i32', ['rowid']],
  ['geopoly', ['rowid']],
]);
const readOnlyModules = new Set(['dbstat', 'fts3tokenize', 'fts4aux', 'fts5vocab']);

/** @param sql the statement, and `writes` SQLite's list of what it does. */
export function concernedTables(handle: Handle, sql: string, writes: readonly Event[]): Concerned {
  const changes = writes.filter(({ act: [action] }) => changing.has(action));
  const isDefinition = changes.length < writes.length;
  const changed = changes.filter(({ act: [, table] }) => !isOwn(table));
  const found = rowsOf(
    handle,
    `select type, name, rootpage, sql from main.sqlite_schema
     where type in ('table', 'trigger') and name in (select value from temp.json_each(?))`,
    JSON.stringify(changed.flatMap(({ act: [, table], within }) => [table, within])),
  ).map(([type, name, root, text]) => ({ type, name: String(name), isVirtual: root === 0n, text: String(text) }));
  const tables = found.filter(({ type }) => type === 'table');
  const mayReplace = [sql, ...found.map(({ text }) => text)].some(text => replaces.test(text));
  // A table that only gets rows loses none.
  const losing = new Set(changed.filter(({ act: [action] }) => action !== 'INSERT').map(({ act: [, table] }) => table));
  const ordinary = tables
    .filter(({ name, isVirtual }) => !isVirtual && (mayReplace || losing.has(name)))
    .map(({ name }) => ({
      name,
      holder: name,
      mayLoseUnseen: mayReplace,
      isVirtual: false,
      comesBack: 'none' as const,
    }));
  const does = (wanted: string) =>
    new Set(changed.filter(({ act: [action] }) => action === wanted).map(({ act: [, table] }) => table));
  const [updated, inserted] = [does('UPDATE'), does('INSERT')];
  const comesBack = (name: string): ConcernedTable['comesBack'] => {
    if (updated.has(name) && !inserted.has(name)) return 'asMany';
    return updated.has(name) || !mayReplace ? 'byKey' : 'none';
  };
  const virtual = virtualTables(
    handle,
    tables.filter(({ isVirtual }) => isVirtual),
    comesBack,
    rebuiltBy(sql),
  );
  const own = isDefinition ? undefined : changes.find(({ act: [, table] }) => isOwn(table));
  const uncounted = own === undefined ? virtual.uncounted : `it writes to ${own.act[1]}, a table of SQLite's own`;
  return { tables: [...ordinary, ...virtual.tables], uncounted };
}

function isOwn(name: string): boolean {
  return /^sqlite_/i.test(name);
}

/** @param rebuilt by this statement alone. */
function virtualTables(
  handle: Handle,
  written: readonly { readonly name: string; readonly text: string }[],
  comesBack: (name: string) => ConcernedTable['comesBack'],
  rebuilt: string | null,
): Concerned {
  const isThere = handle.prepare("select 1 from main.sqlite_schema where type = 'table' and lower(name) = lower(?)");
  const tables: ConcernedTable[] = [];
  let uncounted: string | null = null;
  for (const { name, text } of written) {
    const module = moduleOf(text);
    if (readOnlyModules.has(module)) continue;
    const holder = rowHolders
      .get(module)
      ?.map(kind => `${name}_${kind}`)
      .find(table => isThere.get(table) !== undefined);
    // An index on another table's rows, which are all still there: FTS5 refuses to rebuild an index
    // without any text.
    if (module === 'fts5' && holder === `${name}_docsize` && name.toLowerCase() === rebuilt) continue;
    if (holder === undefined) uncounted = `rows of the virtual table ${name} can't be counted`;
    else tables.push({ name, holder, mayLoseUnseen: true, isVirtual: true, comesBack: comesBack(name) });
  }
  return { tables, uncounted };
}

function moduleOf(definition: string): string {
  return (/\busing\s+["'`[]?(\w+)/i.exec(definition)?.[1] ?? '').toLowerCase();
}
