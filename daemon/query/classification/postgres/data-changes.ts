/** Verdicts on INSERT, UPDATE, DELETE and MERGE: what they change, and whether a WHERE restricts it. */

import type { QualifiedName } from '../classification.ts';
import { neverHolds, restricts } from './restricts.ts';
import { isSystemCatalog } from './system-catalogs.ts';
import { type Effort, targetOf } from './target.ts';
import { type Fields, fieldsOf, listOf, taggedNode, textOf } from './tree.ts';
import { destructive, forbidden, type Verdict, write } from './verdict.ts';

export const dataChanges: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

interface DataChange extends Verdict {
  /** True for an UPDATE or DELETE (or MERGE to that effect) whose WHERE doesn't restrict. */
  readonly isUnbounded: boolean;
}

export function relationName(relation: unknown): QualifiedName {
  const { schemaname, relname } = fieldsOf(relation);
  return { schema: typeof schemaname === 'string' ? schemaname : null, name: textOf(relname) };
}

const unbounded = (reason: string): DataChange => ({ ...destructive(reason), isUnbounded: true });
const bounded = (reason: string): DataChange => ({ ...write(reason), isUnbounded: false });

function judgeMerge(fields: Fields, table: string, effort: Effort): DataChange {
  const target = targetOf(fields.relation, [fields.sourceRelation], effort);
  // `ON false` restricts what matches to nothing, and so what doesn't match to everything.
  const joins = restricts(fields.joinCondition, target) && !neverHolds(fields.joinCondition, target);
  for (const item of listOf(fields.mergeWhenClauses)) {
    const clause = fieldsOf(taggedNode(item)?.fields);
    const changes = clause.commandType === 'CMD_UPDATE' || clause.commandType === 'CMD_DELETE';
    if (changes && !joins && !restricts(clause.condition, target)) {
      return unbounded(`MERGE may change every row of ${table}: its ON condition doesn't restrict which.`);
    }
  }
  return bounded(`MERGE inserts, updates or deletes rows of ${table}.`);
}

/**
 * @param tag One of `dataChanges`.
 * @param effort What the whole statement, this one in it, may cost.
 */
export function judgeDataChange(tag: string, fields: Fields, effort: Effort): DataChange {
  const relation = relationName(fields.relation);
  const table = relation.schema === null ? relation.name : `${relation.schema}.${relation.name}`;
  if (isSystemCatalog(relation)) {
    const reason = `${table} is a catalog of the server, which no client may change by hand; use the statement made for it.`;
    return { ...forbidden(reason), isUnbounded: false };
  }
  if (tag === 'InsertStmt') return bounded(`INSERT adds rows to ${table}.`);
  if (tag === 'MergeStmt') return judgeMerge(fields, table, effort);
  const isUpdate = tag === 'UpdateStmt';
  const target = targetOf(fields.relation, isUpdate ? fields.fromClause : fields.usingClause, effort);
  const [verb, effect] = isUpdate ? ['UPDATE', 'changes'] : ['DELETE', 'removes'];
  if (restricts(fields.whereClause, target))
    return bounded(`${verb} ${effect} the rows of ${table} that its WHERE selects.`);
  return unbounded(
    fields.whereClause === undefined
      ? `${verb} without a WHERE ${effect} every row of ${table}.`
      : `${verb} with a WHERE that doesn't restrict may ${isUpdate ? 'change' : 'remove'} every row of ${table}.`,
  );
}
