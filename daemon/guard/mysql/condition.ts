/**
 * What the text of a WHERE tells: whether it looks at the rows at all, and whether it picks them by
 * values of columns.
 */

import type { KeyValue } from './question.ts';
import { closingParenthesis, isName, type Token, tokenAt } from './tokens.ts';

/** Words in an expression that aren't columns. */
const words = new Set(
  `AND OR XOR NOT IS NULL TRUE FALSE UNKNOWN BETWEEN IN LIKE REGEXP RLIKE ESCAPE DIV MOD COLLATE BINARY CASE WHEN THEN ELSE
  INTERVAL EXISTS ANY ALL SOME SOUNDS AS SELECT FROM WHERE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME
  LOCALTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP CHAR UNSIGNED DECIMAL INTEGER INT USING DUAL LIMIT`.split(/\s+/),
);
/** Words in an expression that aren't reserved, so a column may have the name, too. */
const alsoColumns = new Set(
  'DAY HOUR MINUTE MONTH SECOND WEEK YEAR QUARTER MICROSECOND DATE TIME TIMESTAMP SIGNED END N'.split(' '),
);
const comparing = new Set('= <=> < > <= >= <> != IN IS BETWEEN LIKE NOT'.split(' '));
/** Reserved words after which an operand begins. */
const opening = new Set('AND OR XOR NOT WHERE WHEN THEN ELSE'.split(' '));

/**
 * False without a condition, and for a condition of constants alone. True for 0, FALSE, NULL and 1
 * = 0, which no row meets.
 */
export function looksAtRows(condition: readonly Token[]): boolean {
  return isNever(condition) || condition.some((_, index) => isColumn(condition, index));
}

function isNever(condition: readonly Token[]): boolean {
  const text = condition.map(({ key, kind, text }) => (kind === 'number' ? text : key)).join(' ');
  const numbers = /^(\d{1,9}) = (\d{1,9})$/.exec(text);
  return /^(0+|FALSE|NULL)$/.test(text) || (numbers !== null && Number(numbers[1]) !== Number(numbers[2]));
}

function isColumn(tokens: readonly Token[], index: number): boolean {
  const [token, next] = [tokenAt(tokens, index), tokenAt(tokens, index + 1)];
  const isIntroducer = next.kind === 'string' && token.text.startsWith('_');
  if (!isName(token) || words.has(token.key) || next.key === '(' || isIntroducer) return false;
  return !alsoColumns.has(token.key) || isCompared(tokens, index);
}

/**
 * True if it is an operand of its own with a comparison after it. The last word of INTERVAL 1 DAY <
 * … and of CASE … END = 1 is none.
 */
function isCompared(tokens: readonly Token[], index: number): boolean {
  const [before, next] = [tokenAt(tokens, index - 1), tokenAt(tokens, index + 1)];
  const begins = before.kind === 'punctuation' ? !/^[)}]$/.test(before.key) : opening.has(before.key);
  return begins && comparing.has(next.key);
}

/** The longest IN that picks rows. A longer list is a way to name them all. */
const mostValues = 20;
const joins = new Set(['OR', '||', 'XOR', 'CASE', 'BETWEEN']);

/**
 * The parts `column = constant` and `column IN (constants)` that the condition joins by AND at its
 * top. They mean nothing if several tables change. Together they pick at most `mostValues` rows. A
 * change that can't be taken back runs unasked only if they cover a whole unique key.
 */
export function namesRows(condition: readonly Token[]): readonly KeyValue[] {
  const parts: Token[][] = [[]];
  for (let index = 0; index < condition.length; index++) {
    const token = tokenAt(condition, index);
    if (joins.has(token.key)) return [];
    if (token.key === 'AND' || token.key === '&&') parts.push([]);
    else if (token.key === '(') {
      const end = Math.min(closingParenthesis(condition, index), condition.length - 1);
      parts.at(-1)?.push(...condition.slice(index, end + 1));
      index = end;
    } else parts.at(-1)?.push(token);
  }
  let rows = 1;
  return parts.flatMap(part => {
    const found = namesByValue(part);
    if (found === null || rows * found.values > mostValues) return [];
    rows *= found.values;
    return [found.by];
  });
}

function namesByValue(tokens: readonly Token[]): { readonly by: KeyValue; readonly values: number } | null {
  let from = 1;
  while (tokenAt(tokens, from).key === '.') from += 2;
  if (!isColumn(tokens, from - 1) || /^(NEW|OLD)$/.test(tokenAt(tokens, 0).key)) return null;
  const given = tokens.slice(from + 1);
  const by = {
    column: tokenAt(tokens, from - 1).text,
    isText: given.every(({ kind }) => kind === 'string' || kind === 'punctuation'),
  };
  if (tokenAt(tokens, from).key === '=') return isConstant(given) ? { by, values: 1 } : null;
  if (tokenAt(tokens, from).key !== 'IN' || tokenAt(given, 0).key !== '(') return null;
  const isList = given
    .slice(1, -1)
    .every((token, index) => (index % 2 === 0 ? isConstant([token]) : token.key === ','));
  return isList ? { by, values: (given.length - 1) / 2 } : null;
}

/** A literal, a bound value, or a value of a trigger's own row. */
function isConstant(tokens: readonly Token[]): boolean {
  if (tokens.length === 3) return /^(NEW|OLD)$/.test(tokenAt(tokens, 0).key) && tokenAt(tokens, 1).key === '.';
  return tokens.length === 1 && ['number', 'string', 'placeholder'].includes(tokenAt(tokens, 0).kind);
}
