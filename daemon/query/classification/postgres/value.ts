/** What an expression comes to before any row is read: a constant, the same for each row, or different from row to row. */

import { dependsOnRow, keyOf, type Target } from './target.ts';
import { fieldsOf, listOf, nameParts, taggedNode, textOf } from './tree.ts';

export type Constant = string | number | boolean | null;

export type Value =
  | { readonly kind: 'constant'; readonly value: Constant }
  /** Not known here, but one for all rows: a parameter, `now()`, an uncorrelated subquery. */
  | { readonly kind: 'fixed' }
  | Rows;

interface Rows {
  readonly kind: 'rows';
  readonly expression: unknown;
  /** Once it was asked for: one side of `IN` is compared with each item of the other. */
  key?: string;
}

const fixed: Value = { kind: 'fixed' };
const constant = (value: Constant): Value => ({ kind: 'constant', value });

/** Deeper expressions are taken for `fixed`: they restrict nothing that could be shown. */
export const deepestExpression = 200;

const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ...['t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1'].map(text => [text, true] as const),
  ...['f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0'].map(text => [text, false] as const),
]);

export function booleanOf(value: Constant): boolean | null {
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'string') return booleanTexts.get(value.trim().toLowerCase()) ?? null;
  return value;
}

function literal(fields: ReturnType<typeof fieldsOf>): Value {
  if (fields.isnull === true) return constant(null);
  if ('ival' in fields) return constant(Number(fieldsOf(fields.ival).ival ?? 0));
  if ('fval' in fields) return constant(Number(fieldsOf(fields.fval).fval));
  if ('boolval' in fields) return constant(fieldsOf(fields.boolval).boolval === true);
  if ('sval' in fields) return constant(textOf(fieldsOf(fields.sval).sval));
  return fixed;
}

function cast(value: Value, type: string): Value {
  if (value.kind !== 'constant' || value.value === null) return value;
  if (type === 'bool' || type === 'boolean') {
    const truth = booleanOf(value.value);
    return truth === null ? fixed : constant(truth);
  }
  if (/^(int[248]?|integer|smallint|bigint|numeric|decimal|float[48]|real)$/.test(type)) {
    const number = Number(value.value);
    return Number.isFinite(number) ? constant(number) : fixed;
  }
  return type === 'text' || type === 'varchar' ? constant(String(value.value)) : fixed;
}

const isConstant = (value: Value, wanted: Constant): boolean => value.kind === 'constant' && value.value === wanted;

/** True where both are the same expression over a row. */
export function isSameOverRows(one: Value, other: Value, target: Target): boolean {
  if (one.kind !== 'rows' || other.kind !== 'rows') return false;
  // Most differ at once: `a + b` isn't `c`.
  if (taggedNode(one.expression)?.tag !== taggedNode(other.expression)?.tag) return false;
  one.key ??= keyOf(one.expression, target);
  other.key ??= keyOf(other.expression, target);
  return one.key === other.key;
}

function calculated(left: Value, operator: string, right: Value, target: Target): Value | null {
  // Every built-in operator gives NULL for NULL.
  if (isConstant(left, null) || isConstant(right, null)) return constant(null);
  if (operator === '-' && isSameOverRows(left, right, target)) return constant(0);
  if (operator === '*' && (isConstant(left, 0) || isConstant(right, 0))) return constant(0);
  if ((operator === '+' || operator === '-') && isConstant(right, 0)) return left;
  if (operator === '+' && isConstant(left, 0)) return right;
  if ((operator === '*' || operator === '/') && isConstant(right, 1)) return left;
  if (operator === '*' && isConstant(left, 1)) return right;
  if (operator === '||' && isConstant(right, '')) return left;
  if (operator === '||' && isConstant(left, '')) return right;
  if (left.kind !== 'constant' || right.kind !== 'constant') return null;
  const [a, b] = [left.value, right.value];
  if (operator === '||') return constant(`${a}${b}`);
  if (typeof a !== 'number' || typeof b !== 'number') return null;
  if (operator === '+') return constant(a + b);
  if (operator === '-') return constant(a - b);
  return operator === '*' ? constant(a * b) : null;
}

export function foldedValue(expression: unknown, target: Target, depth = 0): Value {
  const node = taggedNode(expression);
  if (node === null || depth > deepestExpression) return fixed;
  const { tag, fields } = node;
  if (tag === 'A_Const') return literal(fields);
  if (tag === 'TypeCast') {
    const inner = foldedValue(fields.arg, target, depth + 1);
    if (inner.kind === 'constant') return cast(inner, nameParts(fieldsOf(fields.typeName).names).at(-1) ?? '');
  }
  if (tag === 'CoalesceExpr') {
    const [first, ...others] = listOf(fields.args)
      .map(item => foldedValue(item, target, depth + 1))
      .filter(value => !isConstant(value, null));
    if (first === undefined) return constant(null);
    if (first.kind === 'constant' || others.every(other => isSameOverRows(first, other, target))) return first;
  }
  if (tag === 'A_Expr' && fields.kind === 'AEXPR_OP' && fields.lexpr !== undefined) {
    const left = foldedValue(fields.lexpr, target, depth + 1);
    const right = foldedValue(fields.rexpr, target, depth + 1);
    const result = calculated(left, nameParts(fields.name).at(-1) ?? '', right, target);
    if (result !== null) return result;
    return left.kind === 'rows' || right.kind === 'rows' ? { kind: 'rows', expression } : fixed;
  }
  return dependsOnRow(expression, target) ? { kind: 'rows', expression } : fixed;
}
