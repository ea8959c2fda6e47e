/** What a condition comes to before any row is read, and how such answers combine and compare. */

import type { Target } from './target.ts';
import { booleanOf, type Constant, isSameOverRows, type Value } from './value.ts';

/** `fixed`: the same for all rows, but not known here. `rows`: some rows may pass and others not. */
export type Truth = 'true' | 'false' | 'null' | 'fixed' | 'rows';

export const truthOfConstant = (value: Constant): Truth => {
  const truth = booleanOf(value);
  if (value === null) return 'null';
  if (truth === null) return 'fixed';
  return truth ? 'true' : 'false';
};

const opposites: Readonly<Partial<Record<Truth, Truth>>> = { true: 'false', false: 'true' };
export const not = (truth: Truth): Truth => opposites[truth] ?? truth;

export function all(truths: readonly Truth[]): Truth {
  for (const truth of ['false', 'null', 'rows', 'fixed'] as const) if (truths.includes(truth)) return truth;
  return 'true';
}

export function any(truths: readonly Truth[]): Truth {
  for (const truth of ['true', 'fixed', 'rows', 'null'] as const) if (truths.includes(truth)) return truth;
  return 'false';
}

function compareConstants(left: Constant, operator: string, right: Constant): Truth {
  if (left === null || right === null) return 'null';
  const areNumbers = typeof left === 'number' || typeof right === 'number';
  const [a, b] = areNumbers ? [Number(left), Number(right)] : [left, right];
  if (Number.isNaN(a) || Number.isNaN(b)) return 'fixed';
  if (operator === '=') return a === b ? 'true' : 'false';
  if (operator === '<>') return a === b ? 'false' : 'true';
  // Texts sort by the database's collation, which isn't known here.
  if (!areNumbers) {
    if (a !== b) return 'fixed';
    if (operator === '<=' || operator === '>=') return 'true';
    return operator === '<' || operator === '>' ? 'false' : 'fixed';
  }
  if (operator === '<') return a < b ? 'true' : 'false';
  if (operator === '>') return a > b ? 'true' : 'false';
  if (operator === '<=') return a <= b ? 'true' : 'false';
  return operator === '>=' ? (a >= b ? 'true' : 'false') : 'fixed';
}

/** Patterns that every text matches, by operator. */
const matchesAll: Readonly<Record<string, RegExp>> = {
  '~~': /^%+$/,
  '~~*': /^%+$/,
  '~': /^\^?(\.\*|\(\.\*\))?\$?$/,
  '~*': /^\^?(\.\*|\(\.\*\))?\$?$/,
  '^@': /^$/,
};

export function compare(left: Value, operator: string, right: Value, target: Target): Truth {
  if (left.kind === 'constant' && right.kind === 'constant') return compareConstants(left.value, operator, right.value);
  if ([left, right].some(side => side.kind === 'constant' && side.value === null)) return 'null';
  if (left.kind === 'rows') {
    const isSame = isSameOverRows(left, right, target);
    if (isSame && ['=', '<=', '>=', '~~', '~~*', '@>', '<@', '&&'].includes(operator)) return 'true';
    if (isSame && ['<>', '<', '>', '!~~', '!~~*'].includes(operator)) return 'false';
    const pattern = right.kind === 'constant' ? String(right.value ?? ' ') : null;
    if (pattern !== null && matchesAll[operator]?.test(pattern)) return 'true';
    if (pattern !== null && operator.startsWith('!') && matchesAll[operator.slice(1)]?.test(pattern)) return 'false';
    return 'rows';
  }
  return right.kind === 'rows' ? 'rows' : 'fixed';
}
