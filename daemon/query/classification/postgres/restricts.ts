/**
 * Whether a WHERE can keep any row from an UPDATE or DELETE (spec §7: `WHERE 1=1` doesn't). It restricts only if it
 * differs from row to row; what can't be shown to do so counts as no WHERE.
 */

import { dependsOnRow, type Target } from './target.ts';
import { holdsOpposites, isWholeTableAgain } from './tautologies.ts';
import { type Fields, fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';
import { all, any, compare, not, type Truth, truthOfConstant } from './truth.ts';
import { deepestExpression, foldedValue } from './value.ts';

/** The items of `IN (…)` or `ARRAY[…]`; null where there is no list to look into. */
function itemsOf(node: unknown): readonly unknown[] | null {
  const list = taggedNode(node);
  if (list?.tag === 'List') return listOf(list.fields.items);
  return list?.tag === 'A_ArrayExpr' ? listOf(list.fields.elements) : null;
}

function truthOfOperator(fields: Fields, target: Target, depth: number): Truth {
  const operator = nameParts(fields.name).at(-1) ?? '';
  const left = foldedValue(fields.lexpr, target, depth);
  const compareWith = (sign: string, item: unknown) => compare(left, sign, foldedValue(item, target, depth), target);
  const items = itemsOf(fields.rexpr);
  const kind = textOf(fields.kind);
  if (kind === 'AEXPR_IN' && items !== null) {
    const isIn = any(items.map(item => compareWith('=', item)));
    return operator === '<>' ? not(isIn) : isIn;
  }
  if (kind === 'AEXPR_OP_ANY' && items !== null) return any(items.map(item => compareWith(operator, item)));
  if (kind === 'AEXPR_OP_ALL' && items !== null) return all(items.map(item => compareWith(operator, item)));
  if (kind.includes('BETWEEN') && items !== null) {
    const [low, high] = items;
    const inOrder = all([compareWith('>=', low), compareWith('<=', high)]);
    const reversed = kind.includes('SYM') ? all([compareWith('>=', high), compareWith('<=', low)]) : 'false';
    const isBetween = any([inOrder, reversed]);
    return kind.startsWith('AEXPR_NOT') ? not(isBetween) : isBetween;
  }
  const right = foldedValue(fields.rexpr, target, depth);
  if (kind === 'AEXPR_DISTINCT' || kind === 'AEXPR_NOT_DISTINCT') {
    const hasNull = [left, right].some(side => side.kind === 'constant' && side.value === null);
    const areBothNull = hasNull && left.kind === 'constant' && right.kind === 'constant' && left.value === right.value;
    const bothConstant = left.kind === 'constant' && right.kind === 'constant';
    const isSame = hasNull && bothConstant ? (areBothNull ? 'true' : 'false') : compare(left, '=', right, target);
    return kind === 'AEXPR_DISTINCT' ? not(isSame) : isSame;
  }
  if (kind === 'AEXPR_OP' || kind === 'AEXPR_LIKE' || kind === 'AEXPR_ILIKE')
    return compare(left, operator, right, target);
  return left.kind === 'rows' || right.kind === 'rows' ? 'rows' : 'fixed';
}

/** Tests that answer true or false even for NULL. */
function isNeverNull(expression: unknown): boolean {
  const node = taggedNode(expression);
  if (node?.tag === 'SubLink') return node.fields.subLinkType === 'EXISTS_SUBLINK';
  if (node?.tag === 'A_Expr') return textOf(node.fields.kind).endsWith('DISTINCT');
  return node?.tag === 'NullTest' || node?.tag === 'BooleanTest';
}

function truthOfCase(fields: Fields, target: Target, depth: number): Truth {
  const results: Truth[] = [];
  for (const branch of listOf(fields.args)) {
    const when = fieldsOf(taggedNode(branch)?.fields);
    const condition = fields.arg === undefined ? truthOf(when.expr, target, depth + 1) : 'rows';
    if (condition === 'false' || condition === 'null') continue;
    results.push(truthOf(when.result, target, depth + 1));
    if (condition === 'true') return any(results);
    if (condition === 'fixed' && results.at(-1) !== 'false') return 'fixed';
  }
  results.push(fields.defresult === undefined ? 'null' : truthOf(fields.defresult, target, depth + 1));
  if (results.every(result => result === 'true')) return 'true';
  return results.includes('fixed') ? 'fixed' : 'rows';
}

/** Columns that every table has and that hold a value in each row. */
const neverNull: ReadonlySet<string> = new Set('ctid tableoid xmin xmax cmin cmax'.split(' '));

function truthOf(condition: unknown, target: Target, depth: number): Truth {
  const node = taggedNode(condition);
  if (node === null || depth > deepestExpression) return 'fixed';
  const { tag, fields } = node;
  const inner = (expression: unknown) => truthOf(expression, target, depth + 1);
  if (tag === 'BoolExpr') {
    const args = listOf(fields.args);
    if (fields.boolop === 'NOT_EXPR') return not(inner(args[0]));
    if (fields.boolop === 'AND_EXPR') return all(args.map(inner));
    return holdsOpposites(args, target) ? 'true' : any(args.map(inner));
  }
  if (tag === 'A_Expr') return truthOfOperator(fields, target, depth + 1);
  if (tag === 'NullTest') {
    const value = foldedValue(fields.arg, target, depth + 1);
    const column = taggedNode(fields.arg);
    const isNever = column?.tag === 'ColumnRef' && neverNull.has(nameParts(column.fields.fields).at(-1) ?? '');
    if (isNever) return fields.nulltesttype === 'IS_NULL' ? 'false' : 'true';
    if (value.kind !== 'constant') {
      // A condition that always holds is never null: `(id = id) IS NOT NULL`.
      const truth = inner(fields.arg);
      if (truth !== 'true' && truth !== 'false' && !isNeverNull(fields.arg)) return value.kind;
    }
    const isNull = value.kind === 'constant' && value.value === null;
    return isNull === (fields.nulltesttype === 'IS_NULL') ? 'true' : 'false';
  }
  if (tag === 'BooleanTest') {
    const truth = inner(fields.arg);
    if (fields.booltesttype === 'IS_NOT_UNKNOWN' && isNeverNull(fields.arg)) return 'true';
    if (truth === 'rows' || truth === 'fixed') return truth;
    const isNot = textOf(fields.booltesttype).startsWith('IS_NOT_');
    const wanted = textOf(fields.booltesttype)
      .replace(/^IS_(NOT_)?/, '')
      .toLowerCase()
      .replace('unknown', 'null');
    return (truth === wanted) === isNot ? 'false' : 'true';
  }
  if (tag === 'CaseExpr') return truthOfCase(fields, target, depth);
  if (tag === 'CoalesceExpr')
    return (
      listOf(fields.args)
        .map(inner)
        .find(truth => truth !== 'null') ?? 'null'
    );
  if (tag === 'SubLink' && isWholeTableAgain(fields, target)) return 'true';
  const value = foldedValue(condition, target, depth + 1);
  if (value.kind === 'constant') return truthOfConstant(value.value);
  return dependsOnRow(condition, target) ? 'rows' : 'fixed';
}

/** True where the condition keeps some rows, or all of them, from the statement. */
export function restricts(condition: unknown, target: Target): boolean {
  if (condition === undefined) return false;
  const truth = truthOf(condition, target, 0);
  return truth !== 'true' && truth !== 'fixed' && target.effort.nodesLeft >= 0;
}

/** True for `false`, `1 = 0`, `NULL`. */
export function neverHolds(condition: unknown, target: Target): boolean {
  const truth = truthOf(condition, target, 0);
  return truth === 'false' || truth === 'null';
}
