/** Conditions that name a column and hold for every row all the same: `id BETWEEN id AND id`, `id = id + 0`, `id <> -1`. */

import { at, closing, isName, type Token } from './tokens.ts';

/** A value's tokens as one text; its schema and table, and what adds nothing to it, left out. */
export function valueText(tokens: readonly Token[]): string {
  let [from, to] = [0, tokens.length];
  while (at(tokens, from).key === '(' && closing(tokens, from) === to - 1) {
    from++;
    to--;
  }
  const [sign, number] = [at(tokens, to - 2).key, at(tokens, to - 1).text];
  const isIdle =
    to - from > 2 &&
    (((sign === '+' || sign === '-') && number === '0') || ((sign === '*' || sign === '/') && number === '1'));
  const end = isIdle ? to - 2 : to;
  while (isName(at(tokens, from)) && at(tokens, from + 1).key === '.' && from + 2 < end) from += 2;
  return tokens
    .slice(from, end)
    .map(token => (isName(token) ? token.text.toLowerCase() : `${token.kind}:${token.text}`))
    .join(' ');
}

/** @param tokens one condition, without AND or OR at its top. */
export function holdsAlways(tokens: readonly Token[]): boolean {
  return (
    isBetweenItself(tokens) ||
    isInItself(tokens) ||
    matchesAnyText(tokens) ||
    isFirstConstant(tokens) ||
    isNoNegative(tokens)
  );
}

/** @param tokens `x IN (SELECT y FROM t)`, where `t` is the only table of the whole statement. */
export function isInWholeTable(tokens: readonly Token[]): boolean {
  const index = tokens.findIndex(({ key }) => key === 'IN');
  if (index < 1 || at(tokens, index - 1).key === 'NOT' || at(tokens, index + 2).key !== 'SELECT') return false;
  return !tokens.some(({ key }) => ['WHERE', 'HAVING', 'LIMIT', 'JOIN', 'ON', 'EXCEPT', 'INTERSECT'].includes(key));
}

function isBetweenItself(tokens: readonly Token[]): boolean {
  const between = tokens.findIndex(({ key }) => key === 'BETWEEN');
  const and = tokens.findIndex(({ key }, index) => index > between && key === 'AND');
  if (between < 1 || and < 0 || at(tokens, between - 1).key === 'NOT') return false;
  const value = valueText(tokens.slice(0, between));
  return value === valueText(tokens.slice(between + 1, and)) && value === valueText(tokens.slice(and + 1));
}

function isInItself(tokens: readonly Token[]): boolean {
  const index = tokens.findIndex(({ key }) => key === 'IN');
  if (index < 1 || at(tokens, index - 1).key === 'NOT' || at(tokens, index + 1).key !== '(') return false;
  const value = valueText(tokens.slice(0, index));
  let from = index + 2;
  for (let next = from; next < tokens.length; next++) {
    const { key } = at(tokens, next);
    if (key === '(') next = closing(tokens, next);
    else if (key === ',' || key === ')') {
      if (valueText(tokens.slice(from, next)) === value) return true;
      from = next + 1;
    }
  }
  return false;
}

function matchesAnyText(tokens: readonly Token[]): boolean {
  const index = tokens.findIndex(({ key }) => key === 'REGEXP' || key === 'RLIKE');
  const pattern = at(tokens, index + 1);
  return (
    index > 0 &&
    at(tokens, index - 1).key !== 'NOT' &&
    pattern.kind === 'string' &&
    /^\^?(\.[*+]?)?\$?$/.test(pattern.text)
  );
}

/** COALESCE(1, id) is 1. */
function isFirstConstant(tokens: readonly Token[]): boolean {
  if (!/^(COALESCE|IFNULL|NVL)$/.test(at(tokens, 0).key) || closing(tokens, 1) !== tokens.length - 1) return false;
  return at(tokens, 2).kind === 'number' && !/^0*(\.0*)?$/.test(at(tokens, 2).text) && at(tokens, 3).key === ',';
}

/** Keys and counts are never below nothing. */
function isNoNegative(tokens: readonly Token[]): boolean {
  const last = tokens.length - 1;
  const compares = ['<>', '!=', '>', '>='].includes(at(tokens, last - 2).key);
  return compares && at(tokens, last - 1).key === '-' && at(tokens, last).kind === 'number';
}
