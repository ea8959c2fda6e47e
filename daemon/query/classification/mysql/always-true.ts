/** Conditions that name a column and hold for every row all the same: `id BETWEEN id AND id`, `id = id + 0`, `id <> -1`. */

import { at, closing, isName, type Token } from './tokens.ts';

interface Value {
  /** The tokens as one text, without its schema and table, and without what adds nothing to it. */
  readonly text: string;
  /** Null where none is written. */
  readonly table: string | null;
}

function readValue(tokens: readonly Token[]): Value {
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
  let table: string | null = null;
  while (isName(at(tokens, from)) && at(tokens, from + 1).key === '.' && from + 2 < end) {
    table = at(tokens, from).text.toLowerCase();
    from += 2;
  }
  const text = tokens
    .slice(from, end)
    .map(token => (isName(token) ? token.text.toLowerCase() : `${token.kind}:${token.text}`))
    .join(' ');
  return { text, table };
}

/** `id` and `u.id`, but not `u.id` and `t.id`. */
export function isSameValue(one: readonly Token[], other: readonly Token[]): boolean {
  const [left, right] = [readValue(one), readValue(other)];
  return left.text === right.text && (left.table === null || right.table === null || left.table === right.table);
}

/** @param tokens one condition, without AND or OR at its top. */
export function holdsAlways(tokens: readonly Token[]): boolean {
  return [
    isBetweenItself,
    isInItself,
    matchesAnyText,
    isFirstConstant,
    isNoNegative,
    comparesOneColumnWithItself,
    isTimesNothing,
    asksWhetherAnswered,
  ].some(holds => holds(tokens));
}

/** @param tokens `x IN (SELECT y FROM t)`, where `t` is the only table of the whole statement. */
export function isInWholeTable(tokens: readonly Token[]): boolean {
  const index = tokens.findIndex(({ key }) => key === 'IN' || key === 'ANY' || key === 'SOME');
  if (index < 1 || at(tokens, index - 1).key === 'NOT' || at(tokens, index + 2).key !== 'SELECT') return false;
  return !tokens.some(({ key }) => ['WHERE', 'HAVING', 'LIMIT', 'JOIN', 'ON', 'EXCEPT', 'INTERSECT'].includes(key));
}

function isBetweenItself(tokens: readonly Token[]): boolean {
  const between = tokens.findIndex(({ key }) => key === 'BETWEEN');
  const and = tokens.findIndex(({ key }, index) => index > between && key === 'AND');
  if (between < 1 || and < 0 || at(tokens, between - 1).key === 'NOT') return false;
  const value = tokens.slice(0, between);
  return isSameValue(value, tokens.slice(between + 1, and)) && isSameValue(value, tokens.slice(and + 1));
}

function isInItself(tokens: readonly Token[]): boolean {
  const index = tokens.findIndex(({ key }) => key === 'IN');
  if (index < 1 || at(tokens, index - 1).key === 'NOT' || at(tokens, index + 1).key !== '(') return false;
  const value = tokens.slice(0, index);
  let from = index + 2;
  for (let next = from; next < tokens.length; next++) {
    const { key } = at(tokens, next);
    if (key === '(') next = closing(tokens, next);
    else if (key === ',' || key === ')') {
      if (isSameValue(value, tokens.slice(from, next))) return true;
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

/** COALESCE(NULL, 1, id), GREATEST(1, id), IF(1, 1, id) and CASE WHEN 1 THEN … decide without a look at the row. */
function isFirstConstant(tokens: readonly Token[]): boolean {
  const { key } = at(tokens, 0);
  const isNumber = (index: number): boolean =>
    at(tokens, index).kind === 'number' && !/^0*(\.0*)?$/.test(at(tokens, index).text);
  if (key === 'CASE') return at(tokens, 1).key === 'WHEN' && isNumber(2) && at(tokens, 3).key === 'THEN';
  if (closing(tokens, 1) !== tokens.length - 1) return false;
  if (key === 'IF') return isNumber(2) && at(tokens, 3).key === ',';
  if (!/^(COALESCE|IFNULL|NVL|GREATEST)$/.test(key)) return false;
  return tokens.some((_, index) => isNumber(index) && ['(', ','].includes(at(tokens, index - 1).key));
}

const counts = /^(LENGTH|CHAR_LENGTH|CHARACTER_LENGTH|OCTET_LENGTH|BIT_LENGTH|ABS|CRC32)$/;

/** Keys and counts are never below nothing: id <> -1, -1 < id, id NOT IN (-1), LENGTH(name) >= 0. */
function isNoNegative(tokens: readonly Token[]): boolean {
  const last = tokens.length - 1;
  const isBehind = ['<>', '!=', '>', '>='].includes(at(tokens, last - 2).key) && at(tokens, last - 1).key === '-';
  if (isBehind && at(tokens, last).kind === 'number') return true;
  const isBefore = at(tokens, 0).key === '-' && at(tokens, 1).kind === 'number';
  if (isBefore && ['<>', '!=', '<', '<='].includes(at(tokens, 2).key)) return true;
  const isCount = counts.test(at(tokens, 0).key) && at(tokens, closing(tokens, 1) + 1).key === '>=';
  if (isCount && at(tokens, last).text === '0' && closing(tokens, 1) === last - 2) return true;
  const not = tokens.findIndex(({ key }) => key === 'NOT');
  const numbers = tokens.flatMap(({ kind }, index) => (kind === 'number' ? [at(tokens, index - 1).key] : []));
  const isOutside = not > 0 && ['IN', 'BETWEEN'].includes(at(tokens, not + 1).key);
  return isOutside && numbers.length > 0 && numbers.every(before => before === '-');
}

const plainCalls = new Set([
  'CAST',
  'CONVERT',
  'ROW',
  'STRCMP',
  'CONCAT',
  'COALESCE',
  'IFNULL',
  'SIGNED',
  'UNSIGNED',
  'CHAR',
  'DECIMAL',
]);
const plainWords = new Set(
  'AND OR BETWEEN BINARY DIV MOD AS SIGNED UNSIGNED INTEGER CHAR DECIMAL USING SOUNDS LIKE IS NOT NULL TRUE FALSE'.split(
    ' ',
  ),
);

/** id + 1 > id, id = CAST(id AS SIGNED), id BETWEEN 0 AND id: one column, twice, and nothing else that a row could decide. */
function comparesOneColumnWithItself(tokens: readonly Token[]): boolean {
  const columns: string[] = [];
  const tables = new Set<string>();
  for (let index = 0; index < tokens.length; index++) {
    const token = at(tokens, index);
    if (['string', 'variable', 'placeholder'].includes(token.kind) || token.key === '%') return false;
    if (!isName(token) || (token.kind === 'word' && plainWords.has(token.key))) continue;
    if (at(tokens, index + 1).key === '(') {
      if (!plainCalls.has(token.key)) return false;
    } else if (at(tokens, index + 1).key !== '.') columns.push(token.text.toLowerCase());
    else if (at(tokens, index + 3).key !== '.') tables.add(token.text.toLowerCase());
  }
  return tables.size < 2 && columns.length > 1 && columns.every(column => column === columns[0]);
}

/** id * 0 = 0, id & 0 = 0 */
function isTimesNothing(tokens: readonly Token[]): boolean {
  const isZero = (index: number): boolean => at(tokens, index).kind === 'number' && at(tokens, index).text === '0';
  return tokens.some(
    ({ key }, index) => (key === '*' || key === '&') && index > 0 && (isZero(index + 1) || isZero(index - 1)),
  );
}

/** (id = 1) IS NOT NULL, id IS NULL IS NOT NULL: a comparison has an answer for every row. */
function asksWhetherAnswered(tokens: readonly Token[]): boolean {
  const asked = tokens.flatMap(({ key }, index) => (key === 'IS' ? [index] : []));
  const last = asked.at(-1) ?? -1;
  const isAnswered = ['=', '<>', '!=', '<', '>', '<=', '>=', 'IS', 'IN', 'LIKE', 'BETWEEN'];
  return last > 0 && tokens.slice(0, last).some(({ key }) => isAnswered.includes(key));
}
