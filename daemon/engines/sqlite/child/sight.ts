/** In the child: what of the open file is out of sight, and a client's statement kept off it. */

import type { DatabaseSync } from 'node:sqlite';
import type { Sight } from '../../../guard/sight.ts';
import {
  type FileObject,
  isMaintenance,
  namedOutOfSight,
  namesHidden,
  type SeenFile,
  seenFile,
  toldOutOfSight,
} from '../../../guard/sqlite/sight.ts';
import { type Head, readHead } from '../../../guard/sqlite/statement.ts';
import { tokenize } from '../../../guard/sqlite/tokenizer.ts';
import type { DatabaseFailure } from '../../engine.ts';
import { messages, NotInSight, notInSight } from '../failure.ts';
import type { Authorizer } from './authorizer.ts';

const objects = `select type, name, rootpage = 0 as virtual, sql from main.sqlite_schema
where type in ('table', 'view', 'trigger') and name not like 'sqlite\\_%' escape '\\'`;

export type Row = Record<string, unknown>;

/**
 * What follows from a person's patterns and the file's definitions, found once for these.
 * @param find from the rows of `objects`.
 */
export function byDefinitions<Patterns, Found>(
  find: (patterns: Patterns, rows: readonly Row[], handle: DatabaseSync) => Found,
) {
  /** The same definitions are seen in the same way, whoever holds them. */
  let latest: { readonly definitions: string; readonly found: Found } | null = null;
  /**
   * @param isCommitted whether the handle sees committed definitions alone: a version of these
   *   stands for one schema, while an open transaction may use it for several.
   */
  return (handle: DatabaseSync, isCommitted: boolean): ((patterns: Patterns) => Found) => {
    // Most handles are asked about one kind of patterns, or none.
    let version: ReturnType<DatabaseSync['prepare']> | null = null;
    let known = '';
    let found: Found | null = null;
    return patterns => {
      version ??= handle.prepare('pragma main.schema_version');
      const now = JSON.stringify([version.get()?.schema_version, patterns]);
      if (found === null || now !== known || !isCommitted) {
        const rows = handle.prepare(objects).all();
        const definitions = JSON.stringify([patterns, rows]);
        // A handle that writes is new for each statement.
        if (latest?.definitions !== definitions) latest = { definitions, found: find(patterns, rows, handle) };
        found = latest.found;
      }
      known = now;
      return found;
    };
  };
}

export const sightOn = byDefinitions((sight: Sight, rows) => seenFile(sight, rows.map(objectOf)));

export function objectOf({ type, name, virtual, sql }: Row): FileObject {
  return { type: `${type}`, name: `${name}`, isVirtual: type === 'table' && virtual === 1, sql: `${sql ?? ''}` };
}

/** A statement is asked about more than once: to classify, count and run it. */
let latestHead: { readonly sql: string; readonly head: Head | null } | null = null;

export function headOf(sql: string): Head | null {
  // SQLite gets U+FFFD for half of a character, and that may be in a name.
  if (latestHead?.sql !== sql) latestHead = { sql, head: readHead(tokenize(sql.toWellFormed())) };
  return latestHead.head;
}

/** Runs `work` for a client: nothing that is out of sight is reached, or named by an error. */
export function inSight<T>(
  handle: Authorizer & { seen(sight: Sight): SeenFile },
  sight: Sight,
  sql: string,
  work: () => T,
): T | DatabaseFailure {
  const head = headOf(sql);
  if (head !== null && isMaintenance(head)) return work();
  const seen = handle.seen(sight);
  const named = head === null ? null : namedOutOfSight(head, seen);
  if (named !== null) return notInSight(named, sql);
  try {
    return handle.seeing(told => toldOutOfSight(told, head, seen), work);
  } catch (error) {
    const isTold = error instanceof Error && !(error instanceof NotInSight) && namesHidden(error.message, sql, seen);
    if (isTold) return { kind: 'query_failed', message: messages.unseen, code: 'SQLITE_ERROR' };
    throw error;
  }
}
