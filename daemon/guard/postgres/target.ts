/**
 * The table that an UPDATE or DELETE changes, and whether an expression depends on a row of it.
 * Names are resolved without a catalog: a bare column inside a subquery counts as the subquery's
 * own if it could be.
 */

import { type Fields, fieldsOf, isFields, listOf, nameParts, taggedNode, textOf } from './tree.ts';

export interface Target {
  /** What the statement calls it: its alias, else its name. */
  readonly name: string;
  readonly effort: NodeBudget;
}

/**
 * How much may still be looked at in a statement's conditions. A condition that needs more counts
 * as none.
 */
export interface NodeBudget {
  nodesLeft: number;
}

/** Far more than any conditions that people or programs write; takes some 100 ms. */
const mostNodes = 500_000;

export function fullNodeBudget(): NodeBudget {
  return { nodesLeft: mostNodes };
}

export function targetOf(relation: unknown, effort: NodeBudget): Target {
  return { name: calledAs(relation), effort };
}

/** The alias of a relation, else its name. */
export function calledAs(relation: unknown): string {
  const fields = fieldsOf(relation);
  const alias = textOf(fieldsOf(fields.alias).aliasname);
  return alias === '' ? textOf(fields.relname) : alias;
}

/**
 * The column of the target that a `ColumnRef` names: `id` for `id`, `t.id`, `s.t.id`; null for
 * another relation's.
 */
function targetColumn(columnRef: Fields, target: Target): string | null {
  const parts = nameParts(columnRef.fields);
  const isWholeRow = parts.length < listOf(columnRef.fields).length;
  const column = isWholeRow ? '*' : parts.at(-1);
  const qualifier = isWholeRow ? parts.at(-1) : parts.at(-2);
  if (column === undefined) return null;
  // `tableoid` is the same for all rows of a table.
  if (column === 'tableoid') return null;
  return qualifier === undefined || qualifier === target.name ? column : null;
}

/** Names that the FROM lists below this node give. In a subquery, they hide the target's name. */
function rangeNames(node: unknown, names: Set<string>, effort: NodeBudget): void {
  const pending: unknown[] = [node];
  effort.nodesLeft -= names.size;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (--effort.nodesLeft < 0) return;
    if (Array.isArray(value)) pending.push(...value);
    if (!isFields(value)) continue;
    const alias = textOf(fieldsOf(value.alias).aliasname);
    if (alias !== '') names.add(alias);
    else if (typeof value.relname === 'string') names.add(value.relname);
    pending.push(...Object.values(value).filter(child => typeof child === 'object' && child !== null));
  }
}

function hasFrom(node: unknown): boolean {
  const select = taggedNode(node);
  return (
    select?.tag !== 'SelectStmt' || listOf(select.fields.fromClause).length > 0 || select.fields.op !== 'SETOP_NONE'
  );
}

/**
 * True if the expression's value can differ between two rows of the target; false once the effort
 * is spent.
 */
export function dependsOnRow(expression: unknown, target: Target): boolean {
  const pending: { readonly value: unknown; readonly hidden: ReadonlySet<string> | null }[] = [
    { value: expression, hidden: null },
  ];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, hidden } = entry;
    if (--target.effort.nodesLeft < 0) return false;
    if (Array.isArray(value)) {
      for (const item of value) pending.push({ value: item, hidden });
      continue;
    }
    if (!isFields(value)) continue;
    const node = taggedNode(value);
    if (node?.tag === 'ColumnRef') {
      const isBare = listOf(node.fields.fields).length === 1;
      const isHidden = hidden !== null && (isBare || hidden.has(target.name));
      if (!isHidden && targetColumn(node.fields, target) !== null) return true;
      continue;
    }
    if (node?.tag === 'CurrentOfExpr') return true;
    if (node?.tag === 'SubLink') {
      const { subselect, ...outside } = node.fields;
      pending.push({ value: outside, hidden });
      const names = new Set(hidden);
      rangeNames(subselect, names, target.effort);
      pending.push({ value: subselect, hidden: hidden !== null || hasFrom(subselect) ? names : null });
      continue;
    }
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) pending.push({ value: child, hidden });
    }
  }
  return false;
}
