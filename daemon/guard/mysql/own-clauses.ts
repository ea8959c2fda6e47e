/** Clauses that only MySQL or MariaDB knows and that change nothing of a query's shape: where each of them ends. */

import { at, closing, follows, type Token } from './tokens.ts';

export const modifiers: ReadonlySet<string> = new Set(
  'HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_CACHE SQL_NO_CACHE SQL_CALC_FOUND_ROWS DISTINCTROW'.split(
    ' ',
  ),
);

/**
 * @param firstValues index of the first VALUES among the tokens.
 * @returns the index behind the clause that begins at `index`, or `index` where none does.
 */
export function ownClauseEnd(tokens: readonly Token[], index: number, firstValues: number): number {
  const { key } = at(tokens, index);
  const next = at(tokens, index + 1).key;
  const before = at(tokens, index - 1).key;
  if (modifiers.has(key) && next !== '.') return index + 1;
  switch (key) {
    case 'STRAIGHT_JOIN':
      return before === 'SELECT' || modifiers.has(before) ? index + 1 : index;
    case 'USE':
    case 'FORCE':
    case 'IGNORE':
      return next === 'INDEX' || next === 'KEY' ? afterIndexHint(tokens, index) : index;
    case 'PARTITION':
    case 'AGAINST':
      return next === '(' ? closing(tokens, index + 1) + 1 : index;
    case 'MATCH':
      return next === '(' ? index + 1 : index;
    case 'OVER':
      return next === '(' ? closing(tokens, index + 1) + 1 : index + 2;
    case 'WITHIN':
      return follows(tokens, index + 1, 'GROUP', '(') ? closing(tokens, index + 2) + 1 : index;
    case 'WITH':
      return next === 'ROLLUP' ? index + 2 : index;
    case 'WINDOW':
      return afterWindows(tokens, index);
    case 'FOR':
      return next === 'SYSTEM_TIME' ? afterSystemTime(tokens, index + 2) : index;
    case 'PREVIOUS':
      return follows(tokens, index + 1, 'VALUE', 'FOR') ? index + 3 : index;
    case 'PROCEDURE':
      return at(tokens, index + 2).key === '(' ? closing(tokens, index + 2) + 1 : index;
    case 'LIMIT':
      return follows(tokens, index + 1, 'ROWS', 'EXAMINED') ? index + 4 : index;
    case 'ROW':
    case 'ROWS':
      if (next === 'EXAMINED') return index + 3;
      // OFFSET 2 ROWS; VALUES ROW(1), ROW(2)
      return at(tokens, index - 2).key === 'OFFSET' || isValuesRow(tokens, index, firstValues) ? index + 1 : index;
    case 'FETCH':
      return after(tokens, index, ['ONLY', 'TIES']);
    case 'CYCLE':
      return before === ')' ? after(tokens, index, ['RESTRICT']) : index;
    // ODBC: { OJ a LEFT JOIN b ON … }, { fn NOW() }
    case '{':
      return index + 2;
    case '}':
      return index + 1;
    default:
      return index;
  }
}

function isValuesRow(tokens: readonly Token[], index: number, firstValues: number): boolean {
  if (at(tokens, index + 1).key !== '(') return false;
  if (at(tokens, index - 1).key === 'VALUES') return true;
  return follows(tokens, index - 2, ')', ',') && firstValues < index;
}

/** USE INDEX (a), FORCE KEY FOR ORDER BY (a, b) */
function afterIndexHint(tokens: readonly Token[], index: number): number {
  const open = [2, 3, 4, 5].map(ahead => index + ahead).find(position => at(tokens, position).key === '(');
  return open === undefined ? index : closing(tokens, open) + 1;
}

function after(tokens: readonly Token[], index: number, last: readonly string[]): number {
  const length = tokens.slice(index, index + 100).findIndex(token => last.includes(token.key));
  return length < 0 ? index : index + length + 1;
}

/** WINDOW a AS (…), b AS (…) */
function afterWindows(tokens: readonly Token[], index: number): number {
  let end = index;
  while ((end === index || at(tokens, end).key === ',') && follows(tokens, end + 2, 'AS', '(')) {
    end = closing(tokens, end + 3) + 1;
  }
  return end;
}

/** FOR SYSTEM_TIME ALL | AS OF x | BETWEEN x AND y | FROM x TO y */
function afterSystemTime(tokens: readonly Token[], from: number): number {
  if (at(tokens, from).key === 'ALL') return from + 1;
  let end = follows(tokens, from, 'AS', 'OF') ? from + 2 : from + 1;
  for (; end < tokens.length; end++) {
    const { key } = at(tokens, end);
    if (key === '(') end = closing(tokens, end);
    else if (
      /^(,|\)|WHERE|GROUP|ORDER|LIMIT|JOIN|AS|HAVING|UNION|LEFT|RIGHT|INNER|CROSS|NATURAL|EXCEPT|INTERSECT)$/.test(key)
    )
      break;
  }
  return end;
}
