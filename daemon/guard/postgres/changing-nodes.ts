/**
 * Verdicts on INSERT, UPDATE, DELETE and MERGE: what they change, and whether the rows themselves
 * decide which. How many rows they change shows before COMMIT.
 */

import type { QualifiedName } from '../types.ts';
import { isSystemCatalog } from './system-catalogs.ts';
import { dependsOnRow, type NodeBudget, type Target, targetOf } from './target.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';
import { destructive, forbidden, type Reason, say, type Verdict, write } from './verdict.ts';

export const dataChanges: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

interface DataChange extends Verdict {
  /**
   * True for an UPDATE or DELETE (or MERGE to that effect) without a WHERE, or with one that is the
   * same for each row.
   */
  readonly isUnbounded: boolean;
  /**
   * True if a condition `column = constant`, alone or joined by AND, says which rows. Without one,
   * rows that can't be counted aren't changed unasked.
   */
  readonly isNarrow: boolean;
}

export function relationName(relation: unknown): QualifiedName {
  const { schemaname, relname } = fieldsOf(relation);
  return { schema: typeof schemaname === 'string' ? schemaname : null, name: textOf(relname) };
}

const unbounded = (reason: Reason): DataChange => ({ ...destructive(reason), isUnbounded: true, isNarrow: false });
const bounded = (reason: Reason, isNarrow: boolean): DataChange => ({ ...write(reason), isUnbounded: false, isNarrow });

/** A constant condition, or one that is too long to be looked at, restricts nothing. */
function restricts(condition: unknown, target: Target): boolean {
  return condition !== undefined && dependsOnRow(condition, target);
}

function isNarrow(condition: unknown): boolean {
  const node = taggedNode(condition);
  if (node?.tag === 'BoolExpr') return node.fields.boolop === 'AND_EXPR' && listOf(node.fields.args).some(isNarrow);
  const { kind, name, lexpr, rexpr } = node?.tag === 'A_Expr' ? node.fields : {};
  if ((kind !== 'AEXPR_OP' && kind !== 'AEXPR_IN') || nameParts(name).join('.') !== '=') return false;
  const items = kind === 'AEXPR_IN' ? listOf(fieldsOf(taggedNode(rexpr)?.fields).items) : [rexpr];
  const areConstant = items.every(item => ['A_Const', 'ParamRef'].includes(taggedNode(item)?.tag ?? ''));
  return taggedNode(lexpr)?.tag === 'ColumnRef' && items.length <= mostNarrowItems && areConstant;
}

const mostNarrowItems = 100;

function classifyMerge(fields: Fields, table: string, effort: NodeBudget): DataChange {
  const target = targetOf(fields.relation, effort);
  const joins = restricts(fields.joinCondition, target);
  for (const item of listOf(fields.mergeWhenClauses)) {
    const clause = fieldsOf(taggedNode(item)?.fields);
    const changes = clause.commandType === 'CMD_UPDATE' || clause.commandType === 'CMD_DELETE';
    if (changes && !joins && !restricts(clause.condition, target)) {
      return unbounded(say("MERGE may change every row of %@: its ON condition doesn't restrict which.", table));
    }
  }
  return bounded(say('MERGE inserts, updates or deletes rows of %@.', table), false);
}

/**
 * @param tag one of `dataChanges`.
 * @param effort what the whole statement may cost, with this one in it.
 */
export function classifyDataChange(tag: string, fields: Fields, effort: NodeBudget): DataChange {
  return { ...classified(tag, fields, effort), does: doesAtMost(tag, fields) };
}

/** What a data change does to rows at most. */
export function doesAtMost(tag: string, fields: Fields): NonNullable<Verdict['does']> {
  if (tag === 'DeleteStmt') return 'removes';
  if (tag === 'UpdateStmt' || isUpsert(fields)) return 'changes';
  if (tag === 'InsertStmt') return 'adds';
  const acts = listOf(fields.mergeWhenClauses).map(item => fieldsOf(taggedNode(item)?.fields).commandType);
  if (acts.includes('CMD_DELETE')) return 'removes';
  return acts.includes('CMD_UPDATE') ? 'changes' : 'adds';
}

function isUpsert({ onConflictClause }: Fields): boolean {
  return fieldsOf(onConflictClause).action === 'ONCONFLICT_UPDATE';
}

function classified(tag: string, fields: Fields, effort: NodeBudget): DataChange {
  const relation = relationName(fields.relation);
  const table = relation.schema === null ? relation.name : `${relation.schema}.${relation.name}`;
  if (isSystemCatalog(relation)) {
    const reason = `${table} is a catalog of the server, which no client may change by hand; use the statement made for it.`;
    return { ...forbidden(reason), isUnbounded: false, isNarrow: false };
  }
  const isPlainInsert = tag === 'InsertStmt' && fields.onConflictClause === undefined;
  if (tag === 'InsertStmt') {
    const adds = say('INSERT adds rows to %@.', table);
    const changesToo = say('INSERT adds rows to %@, and changes those that are there (ON CONFLICT).', table);
    return bounded(isUpsert(fields) ? changesToo : adds, isPlainInsert);
  }
  if (tag === 'MergeStmt') return classifyMerge(fields, table, effort);
  const isUpdate = tag === 'UpdateStmt';
  const target = targetOf(fields.relation, effort);
  const { whereClause } = fields;
  if (restricts(whereClause, target)) {
    const reason = isUpdate
      ? say('UPDATE changes the rows of %@ that its WHERE selects.', table)
      : say('DELETE removes the rows of %@ that its WHERE selects.', table);
    return bounded(reason, isNarrow(whereClause));
  }
  if (whereClause === undefined)
    return unbounded(
      isUpdate
        ? say('UPDATE without a WHERE changes every row of %@.', table)
        : say('DELETE without a WHERE removes every row of %@.', table),
    );
  return unbounded(
    isUpdate
      ? say('UPDATE with a WHERE that is the same for each row may change every row of %@.', table)
      : say('DELETE with a WHERE that is the same for each row may remove every row of %@.', table),
  );
}
