/**
 * Keeps statements off the vector indexes of libSQL. To SQLite they are empty: it would count no
 * rows by them, and take none of those rows out of the tables behind them. Those tables are plain
 * ones to SQLite; libSQL alone can fill them again.
 */

import type { DatabaseSync } from 'node:sqlite';
import { quoteIdentifier } from '../../../guard/identifiers.ts';
import type { DatabaseFailure } from '../../engine.ts';
import type { Authorizer, Event } from './authorizer.ts';

export interface VectorIndex {
  readonly name: string;
  readonly table: string;
  readonly rootPage: number;
}

type Explaining = Pick<Authorizer, 'classify'>;

const vectorIndexes = `select name, tbl_name, rootpage from main.sqlite_schema
where type = 'index' and sql like '%libsql_vector_idx%'`;

/** @returns asks for them; anew once the schema has changed. */
export function vectorIndexesOf(handle: DatabaseSync): () => readonly VectorIndex[] {
  const version = handle.prepare('pragma main.schema_version');
  let known: unknown = null;
  let indexes: readonly VectorIndex[] = [];
  return () => {
    const now = version.get()?.schema_version;
    if (now !== known)
      indexes = handle
        .prepare(vectorIndexes)
        .all()
        .map(({ name, tbl_name, rootpage }) => ({ name: `${name}`, table: `${tbl_name}`, rootPage: Number(rootpage) }));
    known = now;
    return indexes;
  };
}

/** @param statement with what it writes. */
export function refusalOfVectorIndex(
  handle: Explaining & { vectorIndexes(): readonly VectorIndex[] },
  { source, writes }: { readonly source: string; readonly writes: readonly Event[] },
): DatabaseFailure | null {
  const indexes = handle.vectorIndexes();
  if (indexes.length === 0) return null;
  const names = new Set(writes.map(({ act: [, name] }) => name.toLowerCase()));
  const pages = rootPagesOf(handle, source);
  const changed = indexes.find(
    index => namesOf(index).some(name => names.has(name.toLowerCase())) || pages.emptied.has(index.rootPage),
  );
  if (changed !== undefined) {
    const { name, table } = changed;
    return unsupported(
      `${table} has ${name}, a vector index of libSQL, which SQLite can't keep. Change both with libSQL.`,
    );
  }
  const used = indexes.find(({ rootPage }) => pages.opened.has(rootPage));
  if (used === undefined) return null;
  const table = quoteIdentifier('sqlite', used.table);
  return unsupported(
    `The statement would use ${used.name}, a vector index of libSQL that is empty to SQLite, and find no rows. Write ${table} NOT INDEXED.`,
  );
}

const unsupported = (message: string): DatabaseFailure => ({ kind: 'unsupported', message });

/** Its own, its table's and those of what libSQL keeps it in, the last of them for all indexes. */
function namesOf({ name, table }: VectorIndex): readonly string[] {
  return [name, table, `${name}_shadow`, `${name}_shadow_idx`, 'libsql_vector_meta_shadow'];
}

/** Root pages that the statement's program opens, and those that it clears or gives up. */
function rootPagesOf(handle: Explaining, source: string) {
  const program = explained(handle, source);
  const pagesOf = (opcodes: RegExp, place: 'p1' | 'p2'): ReadonlySet<number> =>
    new Set(program.filter(({ opcode }) => opcodes.test(`${opcode}`)).map(step => Number(step[place])));
  return { opened: pagesOf(/^(?:Open(?:Read|Write)|ReopenIdx)$/, 'p2'), emptied: pagesOf(/^(?:Clear|Destroy)$/, 'p1') };
}

/** A text that can't be explained is an EXPLAIN, or a PRAGMA, which acts while it is prepared. */
function explained(handle: Explaining, source: string): readonly Record<string, unknown>[] {
  try {
    return handle.classify(`EXPLAIN ${source}`).statement.all();
  } catch {
    return [];
  }
}
