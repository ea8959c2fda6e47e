/** Conditions that hold for every row though their parts differ from row to row: `a OR NOT a`, `id IN (SELECT id …)`. */

import { keyOf, type Target } from './target.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

const complements: ReadonlyMap<string, string> = new Map([
  ['<>', '='],
  ['>=', '<'],
  ['<=', '>'],
  ['!~~', '~~'],
  ['!~~*', '~~*'],
]);

/** A condition as one of two opposites: `id <> 1` is the negation of what `id = 1` affirms. */
function polarity(condition: unknown, target: Target): { readonly key: string; readonly isAffirmed: boolean } {
  let node = taggedNode(condition);
  let isAffirmed = true;
  while (node?.tag === 'BoolExpr' && node.fields.boolop === 'NOT_EXPR') {
    isAffirmed = !isAffirmed;
    node = taggedNode(listOf(node.fields.args)[0]);
  }
  if (node === null) return { key: '', isAffirmed };
  const { tag, fields } = node;
  if (tag === 'NullTest') {
    return { key: `null ${keyOf(fields.arg, target)}`, isAffirmed: isAffirmed === (fields.nulltesttype === 'IS_NULL') };
  }
  if (tag === 'BooleanTest') {
    const wanted = textOf(fields.booltesttype);
    const plain = wanted.replace('IS_NOT_', 'IS_');
    return { key: `${plain} ${keyOf(fields.arg, target)}`, isAffirmed: isAffirmed === (plain === wanted) };
  }
  const operator = tag === 'A_Expr' ? (nameParts(fields.name).at(-1) ?? '') : '';
  const complement = complements.get(operator);
  const kind = textOf(fields.kind).replace('AEXPR_NOT_', 'AEXPR_');
  const isNegatedKind = kind !== textOf(fields.kind);
  const sides = [kind, complement ?? operator, fields.lexpr, fields.rexpr];
  const key = tag === 'A_Expr' ? keyOf(sides, target) : keyOf({ [tag]: fields }, target);
  return { key, isAffirmed: (isAffirmed === (complement === undefined)) === !isNegatedKind };
}

export function holdsOpposites(conditions: readonly unknown[], target: Target): boolean {
  const seen = new Map<string, boolean>();
  for (const condition of conditions) {
    const { key, isAffirmed } = polarity(condition, target);
    if (seen.get(key) === !isAffirmed) return true;
    seen.set(key, isAffirmed);
  }
  return false;
}

/** `id IN (SELECT id FROM t)` on `t` itself, with nothing that narrows the subquery. */
export function isWholeTableAgain(fields: Fields, target: Target): boolean {
  const select = taggedNode(fields.subselect);
  if (fields.subLinkType !== 'ANY_SUBLINK' || select?.tag !== 'SelectStmt' || target.isJoined) return false;
  const { fromClause, targetList, whereClause, limitCount, limitOffset, havingClause, groupClause } = select.fields;
  if ([whereClause, limitCount, limitOffset, havingClause, groupClause].some(clause => clause !== undefined))
    return false;
  const from = taggedNode(listOf(fromClause)[0]);
  if (listOf(fromClause).length !== 1 || from?.tag !== 'RangeVar' || from.fields.relname !== target.table) return false;
  const inner: Target = { ...target, name: textOf(fieldsOf(from.fields.alias).aliasname) || target.table };
  const outer = listOf(targetList)[0];
  return keyOf(fieldsOf(taggedNode(outer)?.fields).val, inner) === keyOf(fields.testexpr, target);
}
