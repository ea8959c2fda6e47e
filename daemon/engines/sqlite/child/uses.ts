/**
 * What the file's own views and triggers read, as SQLite says when it prepares statements that set
 * them off. Nothing of these runs.
 */

import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { SchemaRow, UseFact } from '../../../guard/sqlite/defined/facts.ts';
import { rowsOf } from './prepared.ts';
import type { Handle } from './session.ts';

interface Use extends Pick<UseFact, 'name' | 'kind' | 'text'> {
  readonly statement: string;
  /** Null if SQLite refuses it. */
  readonly reads: ReadonlySet<string> | null;
}

/** @param rows of `sqlite_schema`. */
export function usesIn(handle: Handle, rows: readonly SchemaRow[]): readonly Use[] {
  const own = rows.filter(({ schema }) => schema === 'main');
  const views = own
    .filter(({ type }) => type === 'view')
    .map(({ name, sql }) => use(handle, 'view', name, sql ?? '', `select * from ${quoted(name)}`));
  const triggers = own.filter(({ type }) => type === 'trigger');
  const fired = [...new Set(triggers.map(({ table }) => table))].flatMap(table => {
    const text = triggers
      .filter(trigger => trigger.table === table)
      .map(({ sql }) => sql ?? '')
      .join('\n');
    return setOff(handle, table).map(statement => use(handle, 'triggers', table, text, statement));
  });
  return [...views, ...fired];
}

/**
 * @returns those of which something changed, and NATURAL JOINs: SQLite tells no columns of these.
 */
export function changesOf(handle: Handle, before: readonly Use[]): readonly UseFact[] {
  return before.flatMap(({ name, kind, text, statement, reads: had }): readonly UseFact[] => {
    if (had === null) return [];
    const now = readsOf(handle, statement);
    const reads = [...(now ?? [])].filter(read => !had.has(read)).map(read => JSON.parse(read));
    if (now !== null && reads.length === 0 && !/natural/i.test(text)) return [];
    const tables = [...had].map(read => String(JSON.parse(read)[0]));
    return [
      { name, kind, text, tables, breaks: now === null, reads: reads.map(([table, column]) => ({ table, column })) },
    ];
  });
}

function use(handle: Handle, kind: Use['kind'], name: string, text: string, statement: string): Use {
  return { name, kind, text, statement, reads: readsOf(handle, statement) };
}

function readsOf(handle: Handle, statement: string): ReadonlySet<string> | null {
  try {
    return handle.readsOf(statement);
  } catch {
    return null;
  }
}

/** True if SQLite refuses to prepare some kind of write to the table. */
export function refusesWrites(handle: Handle, table: string): boolean {
  return setOff(handle, table).some(statement => readsOf(handle, statement) === null);
}

/** Statements that set off each trigger of the table. */
function setOff(handle: Handle, table: string): readonly string[] {
  const columns = rowsOf(
    handle,
    `select name from temp.pragma_table_xinfo(?, 'main') where hidden = 0 order by cid`,
    table,
  ).map(([name]) => quoteIdentifier('sqlite', String(name)));
  return [
    `insert into ${quoted(table)} (${columns.join(', ')}) values (${columns.map(() => 'null').join(', ')})`,
    `delete from ${quoted(table)}`,
    `update ${quoted(table)} set ${columns.map(column => `${column} = ${column}`).join(', ')}`,
  ];
}

function quoted(name: string): string {
  return `main.${quoteIdentifier('sqlite', name)}`;
}
