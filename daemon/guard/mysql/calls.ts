/**
 * Finds the functions that a text calls. Says which of them are dangerous or user-defined. Decides
 * no class.
 */

import type { QualifiedName } from '../types.ts';
import { builtInFunctions, builtInOnSomeServers, sysFunctions } from './built-in-functions.ts';
import { type Danger, dangerOf } from './functions.ts';
import { closingParenthesis, isName, keywordsAt, type Token, tokenAt } from './tokens.ts';

/**
 * Keywords that may stand before a parenthesis without being a call. Only unquoted: `` `in`(1) ``
 * is a call.
 */
const notCalled = new Set(
  `SELECT DISTINCT DISTINCTROW ALL FROM JOIN STRAIGHT_JOIN USING ON AS WHERE HAVING BY GROUP ORDER LIMIT OFFSET WHEN THEN ELSE
  CASE END AND OR XOR NOT IN EXISTS ANY SOME LIKE REGEXP RLIKE SOUNDS DIV IS BETWEEN ESCAPE COLLATE UNION EXCEPT INTERSECT
  MINUS OVER WINDOW PARTITION INDEX KEY TABLE MATCH AGAINST OF INTO SET UPDATE RETURNING WITH RECURSIVE COLUMNS PATH ERROR
  EMPTY LATERAL TABLES MEMBER NULL RETURN DO IGNORE FORCE USE RANGE ROWS ROLLUP EXPLAIN ANALYZE DESCRIBE DESC FOR CALL KEYS
  UNIQUE PRIMARY FOREIGN CONSTRAINT CHECK REFERENCES FULLTEXT SPATIAL HASH LIST LINEAR THAN GENERATED ALWAYS VIRTUAL STORED
  ENUM TEXT BLOB GEOMETRY CHARACTER NATIONAL VARYING VECTOR PRECISION BLOCK WITHIN EXPIRE IDENTIFIED LOCK`.split(/\s+/),
);

/**
 * The words of `notCalled` and of the statement's modifiers that are also a function's name on
 * MariaDB 10.11 or MySQL 9.7: `SELECT hash()`.
 */
const namesToo = new Set(
  `ESCAPE MINUS AGAINST OF COLUMNS PATH ERROR EMPTY LATERAL TABLES MEMBER ROLLUP HASH LIST THAN GENERATED ALWAYS VIRTUAL GEOMETRY
  VECTOR BLOCK EXPIRE IDENTIFIED WITHIN EXTENDED PARTITIONS ANALYSE SQL_CACHE`.split(/\s+/),
);

/** Words after SELECT that a parenthesis may follow: `SELECT SQL_NO_CACHE (1)`. */
const selectOptions: ReadonlySet<string> = new Set(
  'HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_CACHE SQL_NO_CACHE SQL_CALC_FOUND_ROWS DISTINCTROW'.split(
    ' ',
  ),
);

export interface FunctionCall {
  readonly schema: string | null;
  readonly name: string;
  readonly index: number;
  readonly danger: Danger | null;
  /** True for a word of the statement that may be a stored function's name on some server. */
  readonly isWord: boolean;
}

/** @returns every name that stands before a parenthesis as a function's name does. */
export function calledFunctions(tokens: readonly Token[]): FunctionCall[] {
  const calls: FunctionCall[] = [];
  tokens.forEach((token, index) => {
    if (!isName(token) || tokenAt(tokens, index + 1).key !== '(') return;
    const isQualified = tokenAt(tokens, index - 1).key === '.' && isName(tokenAt(tokens, index - 2));
    // This is a procedure, not a function of the same name.
    if (tokenAt(tokens, isQualified ? index - 3 : index - 1).key === 'CALL') return;
    if (!isQualified && isColumnList(tokens, index)) return;
    const isWord = !isQualified && (notCalled.has(token.key) || isModifier(tokens, index));
    if (isWord && !namesToo.has(token.key)) return;
    const schema = isQualified ? tokenAt(tokens, index - 2).text : null;
    calls.push({ schema, name: token.text, index, danger: dangerOf(token.text), isWord });
  });
  return calls;
}

/**
 * `WITH x (a) AS (…)`, `(…) AS d (a)`, `(…) d (a)`: the parenthesis holds column names, or a
 * window's definition.
 */
function isColumnList(tokens: readonly Token[], index: number): boolean {
  if (dangerOf(tokenAt(tokens, index).text) !== null) return false;
  const before = tokenAt(tokens, index - 1);
  if (before.key === 'AS' || before.key === ')') return true;
  return (
    keywordsAt(tokens, closingParenthesis(tokens, index + 1) + 1, 'AS', '(') &&
    ['WITH', 'RECURSIVE', ','].includes(before.key)
  );
}

/**
 * SELECT SQL_NO_CACHE (1), EXPLAIN EXTENDED (…), PROCEDURE ANALYSE(): these are words of the
 * statement only in these places.
 */
function isModifier(tokens: readonly Token[], index: number): boolean {
  const { key } = tokenAt(tokens, index);
  const before = tokenAt(tokens, index - 1).key;
  if (selectOptions.has(key)) return before === 'SELECT' || before === 'DISTINCT' || selectOptions.has(before);
  if (key === 'EXTENDED' || key === 'PARTITIONS') return index === 1 && /^(EXPLAIN|DESCRIBE|DESC)$/.test(before);
  return key === 'ANALYSE' && before === 'PROCEDURE';
}

/**
 * @returns each name once. `unknown`: calls that no list settles, so the catalog must answer for
 *   them. `hiding`: names that are built in on some servers only; on others, a stored function may
 *   have the name.
 */
export function userDefined(calls: readonly FunctionCall[]): { unknown: QualifiedName[]; hiding: QualifiedName[] } {
  const unknown = new Map<string, QualifiedName>();
  const hiding = new Map<string, QualifiedName>();
  for (const { schema, name, danger, isWord } of calls) {
    const folded = name.toLowerCase();
    if (danger !== null) continue;
    if (isWord) hiding.set(folded, { schema, name });
    else if (schema === null && builtInFunctions.has(folded)) {
      if (builtInOnSomeServers.has(folded)) hiding.set(folded, { schema, name });
    } else if (schema?.toLowerCase() !== 'sys' || !sysFunctions.has(folded)) {
      unknown.set(`${schema}.${folded}`, { schema, name });
    }
  }
  return { unknown: [...unknown.values()], hiding: [...hiding.values()] };
}
