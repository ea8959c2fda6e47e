/** Where a single operand of an expression begins and ends: a literal, a name, an interval. */

import { at, closing, isName, type Token } from './tokens.ts';

/** Words of a query's clauses: unquoted they are no operands. */
const clauses = new Set(
  `SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT OFFSET UNION EXCEPT INTERSECT ALL DISTINCT WITH RECURSIVE AS ON USING JOIN
  INNER LEFT RIGHT CROSS OUTER NATURAL STRAIGHT_JOIN CASE WHEN THEN ELSE END ASC DESC WINDOW OVER PARTITION FOR USE FORCE IGNORE
  INDEX KEY VALUES TABLE LATERAL IN ANY SOME PROCEDURE INTERVAL ROWS FETCH LOCK UPDATE MATCH AGAINST SET`.split(/\s+/),
);
const namedLikeClauses = new Set(['LEFT', 'RIGHT', 'INTERVAL', 'VALUES']);
const units =
  /^(MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR|(SECOND|MINUTE|HOUR|DAY)_MICROSECOND|(MINUTE|HOUR|DAY)_SECOND|(HOUR|DAY)_MINUTE|DAY_HOUR|YEAR_MONTH)$/;

export function isOperandStart(tokens: readonly Token[], index: number): boolean {
  const token = at(tokens, index);
  if (['string', 'number', 'variable', 'placeholder', 'name'].includes(token.kind)) return true;
  if (token.kind !== 'word' || isMinus(tokens, index)) return false;
  if (!clauses.has(token.key) || at(tokens, index + 1).key === '.') return true;
  if (token.key === 'INTERVAL' && intervalLength(tokens, index) > 0) return true;
  if (token.key === 'VALUES' && index === 0) return false;
  const isCall = namedLikeClauses.has(token.key) && at(tokens, index + 1).key === '(';
  return isCall && !(token.key === 'VALUES' && ['(', ')', 'UNION', 'ALL'].includes(at(tokens, index - 1).key));
}

/** MINUS is EXCEPT in Oracle mode, and a name like any other elsewhere. */
export function isMinus(tokens: readonly Token[], index: number): boolean {
  return at(tokens, index).key === 'MINUS' && ['SELECT', '(', 'ALL', 'DISTINCT'].includes(at(tokens, index + 1).key);
}

/** @returns how many tokens the operand takes, a function's arguments left out; 0 where none begins. */
export function operandLength(tokens: readonly Token[], from: number): number {
  if (!isOperandStart(tokens, from)) return 0;
  const token = at(tokens, from);
  const interval = token.key === 'INTERVAL' ? intervalLength(tokens, from) : 0;
  if (interval > 0) return interval;
  let end = from + 1;
  // _utf8mb4'x', N'x', DATE '2020-01-01', and 'a' 'b', which is 'ab'
  if (token.kind === 'word' && at(tokens, end).kind === 'string') end++;
  while (at(tokens, end - 1).kind === 'string' && at(tokens, end).kind === 'string') end++;
  while (at(tokens, end).key === '.' && (isName(at(tokens, end + 1)) || at(tokens, end + 1).key === '*')) end += 2;
  return end - from;
}

/** INTERVAL 1 DAY, but not the function INTERVAL(1, 2). */
function intervalLength(tokens: readonly Token[], from: number): number {
  for (let index = from + 1; index < from + 100 && index < tokens.length; index++) {
    const { key } = at(tokens, index);
    if (key === '(') index = closing(tokens, index);
    else if (key === ',' || key === ')') return 0;
    else if (index > from + 1 && units.test(key)) return index + 1 - from;
  }
  return 0;
}
