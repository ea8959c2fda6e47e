/**
 * Which tables a statement may change rows of, with all that it sets off: SQLite itself says so. EXPLAIN lists what the
 * statement, every trigger and every action of a foreign key opens to be written.
 */

import type { Bindings } from './parameters.ts';
import { opcodesOf, rowsOf } from './prepared.ts';
import { rebuiltBy } from './rebuilt.ts';
import type { Handle } from './session.ts';

export interface ConcernedTable {
  /** As people know it; a virtual table's rows are those of a table behind it. */
  readonly name: string;
  readonly holder: string;
  /** REPLACE may delete rows of it, and a virtual table's module may: before and after must be counted. */
  readonly mayLoseUnseen: boolean;
  readonly isVirtual: boolean;
}

interface Concerned {
  readonly tables: readonly ConcernedTable[];
  /** A clause. */
  readonly uncounted: string | null;
}

const schemaRoot = 1;

/** A call of the function `replace` is no conflict clause. */
const replaces = /\breplace(?!\s*\()/i;

/** Where a virtual table's module keeps one row for each of its own. */
const rowHolders: ReadonlyMap<string, readonly string[]> = new Map([
  ['fts3', ['content', 'docsize']],
  ['fts4', ['content', 'docsize']],
  ['fts5', ['content', 'docsize']],
  ['rtree', ['rowid']],
  ['rtree_i32', ['rowid']],
  ['geopoly', ['rowid']],
]);
const readOnlyModules = new Set(['dbstat', 'fts3tokenize', 'fts4aux', 'fts5vocab']);

/** Whether an INSERT can do nothing to rows that are there: told without EXPLAIN, which lists some opcodes for each value. */
export function onlyInserts(handle: Handle, word: string, sql: string): boolean {
  if (word !== 'insert' || /\b(replace|conflict)\b/i.test(sql)) return false;
  const risk = `select 1 from main.sqlite_schema
    where type = 'trigger' or type = 'table' and (rootpage = 0 or sql like '%replace%') limit 1`;
  return handle.prepare(risk).get() === undefined;
}

/** @param how `drops`: the schema is written to by right. */
export function concernedTables(
  handle: Handle,
  sql: string,
  bindings: Bindings,
  how: 'changes' | 'drops' = 'changes',
): Concerned {
  const roots = new Set<number>();
  let writesVirtual = false;
  let uncounted: string | null = null;
  for (const [, opcode, p1, p2, p3] of opcodesOf(handle, sql, bindings)) {
    const opened = opcode === 'OpenWrite' ? [p2, p3] : opcode === 'Clear' ? [p1, p2] : null;
    if (opcode === 'VUpdate') writesVirtual = true;
    if (opened?.[1] === 0n) roots.add(Number(opened[0]));
    else if (opened !== null) uncounted = 'it writes outside the database file';
  }
  const found = rowsOf(
    handle,
    'select tbl_name, rootpage from main.sqlite_schema where rootpage in (select value from json_each(?))',
    JSON.stringify([...roots]),
  );
  if (how === 'drops') roots.delete(schemaRoot);
  const known = new Set(found.map(([, root]) => Number(root)));
  if ([...roots].some(root => !known.has(root))) uncounted = 'it writes to the schema itself';
  const names = [...new Set(found.map(([name]) => String(name)))];
  const definitions = rowsOf(
    handle,
    `select sql from main.sqlite_schema where sql is not null
     and (type = 'trigger' or type = 'table' and name in (select value from json_each(?)))`,
    JSON.stringify(names.filter(name => !isOwn(name))),
  );
  const texts = [sql, ...definitions.map(([text]) => String(text))];
  const mayLoseUnseen = texts.some(text => replaces.test(text));
  // SQLite keeps AUTOINCREMENT's values by itself; only who names such a table changes it on purpose.
  const own = names.find(isOwn);
  if (own !== undefined && texts.some(text => /sqlite_/i.test(text)))
    uncounted = `it writes to ${own}, a table of SQLite's own`;
  const ordinary = names
    .filter(name => !isOwn(name))
    .map(name => ({ name, holder: name, mayLoseUnseen, isVirtual: false }));
  if (!writesVirtual) return { tables: ordinary, uncounted };
  const virtual = virtualTables(handle, rebuiltBy(sql));
  return { tables: [...ordinary, ...virtual.tables], uncounted: uncounted ?? virtual.uncounted };
}

function isOwn(name: string): boolean {
  return /^sqlite_/i.test(name);
}

/** All in the file: an opcode doesn't say which one it writes to. @param rebuilt by the statement, and by it alone. */
function virtualTables(handle: Handle, rebuilt: string | null): Concerned {
  const all = rowsOf(handle, "select name, sql from main.sqlite_schema where type = 'table' and rootpage = 0");
  const isThere = handle.prepare("select 1 from main.sqlite_schema where type = 'table' and lower(name) = lower(?)");
  const tables: ConcernedTable[] = [];
  let uncounted: string | null = null;
  for (const row of all) {
    const [name = '', sql = ''] = row.map(String);
    const module = moduleOf(sql);
    if (readOnlyModules.has(module)) continue;
    const holder = rowHolders
      .get(module)
      ?.map(kind => `${name}_${kind}`)
      .find(table => isThere.get(table) !== undefined);
    // An index of another table's rows, which are all there: FTS5 refuses to rebuild one that keeps no text anywhere.
    if (module === 'fts5' && holder === `${name}_docsize` && name.toLowerCase() === rebuilt) continue;
    if (holder === undefined) uncounted = `rows of the virtual table ${name} can't be counted`;
    else tables.push({ name, holder, mayLoseUnseen: true, isVirtual: true });
  }
  return { tables, uncounted };
}

function moduleOf(definition: string): string {
  return (/\busing\s+["'`[]?(\w+)/i.exec(definition)?.[1] ?? '').toLowerCase();
}
