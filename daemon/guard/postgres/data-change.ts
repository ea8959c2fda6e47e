/**
 * Reads the data changes of one PostgreSQL statement from its parse tree: what it writes to, what
 * it sets, and where it may return more.
 */

import type { Verb } from '../data-change.ts';
import { openEnd, type Returning } from '../data-change.ts';
import type { QualifiedName } from '../types.ts';
import { relationName } from './changing-nodes.ts';
import type { Parse } from './parser.ts';
import { calledAs } from './target.ts';
import { type Fields, fieldsOf, listOf, taggedNode, textOf } from './tree.ts';
import { Walk } from './walk.ts';

export interface PostgresDataChange extends Returning {
  /** Null if the statement isn't a data change itself, but runs some (WITH, EXPLAIN ANALYZE). */
  readonly verb: Verb | null;
  readonly target: QualifiedName;
  /** What the statement calls the target: its alias, else its name. */
  readonly targetAlias: string;
  /** Everything that is written to, also by the data changes of WITH; the target comes first. */
  readonly writes: readonly QualifiedName[];
  readonly writesInWith: boolean;
  /** Columns of the target that get a value in existing rows. */
  readonly sets: readonly string[];
  /** True if a row may get a column's default: the row is added, or the column is set to it. */
  readonly usesDefaults: boolean;
  /** Every function that is called by name, without schema. */
  readonly functions: readonly string[];
}

const verbs: Readonly<Record<string, Verb>> = {
  InsertStmt: 'insert',
  UpdateStmt: 'update',
  DeleteStmt: 'delete',
  MergeStmt: 'merge',
};

/** Null if the text isn't a single statement that changes rows. */
export function readDataChange(parse: Parse, sql: string): PostgresDataChange | null {
  const statement = onlyStatement(parse, sql);
  const { notes, changes } = new Walk(statement);
  const [change] = changes;
  if (change === undefined) return null;
  const verb = verbs[taggedNode(statement)?.tag ?? ''] ?? null;
  const { fields } = change;
  const conflict = fieldsOf(fields.onConflictClause);
  const isUpsert = conflict.action === 'ONCONFLICT_UPDATE';
  const own = returningOf(fields).length;
  return {
    verb,
    target: relationName(fields.relation),
    targetAlias: calledAs(fields.relation),
    writes: notes.names.changed,
    writesInWith: changes.length > 1,
    sets: setNames(isUpsert ? conflict.targetList : verb === 'update' ? fields.targetList : null),
    ownReturning: own > 0,
    open:
      verb &&
      openEnd(sql, own > 0, text => {
        const after = onlyStatement(parse, text);
        const returning = returningOf(fieldsOf(taggedNode(after)?.fields));
        return returning.length > own && meaning(after, own) === meaning(statement, own);
      }),
    usesDefaults: notes.usesDefaults,
    functions: [...notes.called],
  };
}

function onlyStatement(parse: Parse, sql: string): unknown {
  const parsed = parse(sql);
  return parsed.kind === 'statements' && parsed.statements.length === 1 ? parsed.statements[0] : null;
}

function returningOf(fields: Fields): readonly unknown[] {
  return listOf(fieldsOf(fields.returningClause).exprs);
}

/**
 * Two statements with the same text of this kind mean the same. They may differ in what they return
 * beyond the first `count`.
 */
function meaning(statement: unknown, count: number): string {
  const node = taggedNode(statement);
  if (node === null) return '';
  const { returningClause, ...rest } = node.fields;
  const { exprs, ...options } = fieldsOf(returningClause);
  const returning = { ...options, exprs: listOf(exprs).slice(0, count) };
  const places = new Set(['location', 'list_start', 'list_end', 'stmt_location', 'stmt_len']);
  return JSON.stringify([node.tag, rest, returning], (key, value) => (places.has(key) ? undefined : value));
}

function setNames(targetList: unknown): readonly string[] {
  return listOf(targetList).map(item => textOf(fieldsOf(taggedNode(item)?.fields).name));
}
