/**
 * Which functions a text calls. Says which of them are dangerous or user-defined; decides no class.
 */

import type { QualifiedName } from '../types.ts';
import { builtInFunctions, builtInOnSomeServers, sysFunctions } from './built-in-functions.ts';
import { type Danger, dangerOf } from './functions.ts';
import { at, closing, follows, isName, type Token } from './tokens.ts';

/**
 * Keywords that stand before a parenthesis without being called. Unquoted only: `` `in`(1) `` is a
 * call.
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
 * Of these and of the words of a statement those that are a function's name on MariaDB 10.11 or
 * MySQL 9.7: `SELECT hash()`.
 */
const namesToo = new Set(
  `ESCAPE MINUS AGAINST OF COLUMNS PATH ERROR EMPTY LATERAL TABLES MEMBER ROLLUP HASH LIST THAN GENERATED ALWAYS VIRTUAL GEOMETRY
  VECTOR BLOCK EXPIRE IDENTIFIED WITHIN EXTENDED PARTITIONS ANALYSE SQL_CACHE`.split(/\s+/),
);

/** Words behind SELECT that a parenthesis may follow: `SELECT SQL_NO_CACHE (1)`. */
const selectOptions: ReadonlySet<string> = new Set(
  'HIGH_PRIORITY SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT SQL_CACHE SQL_NO_CACHE SQL_CALC_FOUND_ROWS DISTINCTROW'.split(
    ' ',
  ),
);

export interface Call {
  readonly schema: string | null;
  readonly name: string;
  readonly index: number;
  readonly danger: Danger | null;
  /** A word of the statement, or on some server the name of a stored function. */
  readonly isWord: boolean;
}

/** @returns every name that stands before a parenthesis as a function does. */
export function calledFunctions(tokens: readonly Token[]): Call[] {
  const calls: Call[] = [];
  tokens.forEach((token, index) => {
    if (!isName(token) || at(tokens, index + 1).key !== '(') return;
    const isQualified = at(tokens, index - 1).key === '.' && isName(at(tokens, index - 2));
    // A procedure, which is no function of the same name.
    if (at(tokens, isQualified ? index - 3 : index - 1).key === 'CALL') return;
    if (!isQualified && isColumnList(tokens, index)) return;
    const isWord = !isQualified && (notCalled.has(token.key) || isModifier(tokens, index));
    if (isWord && !namesToo.has(token.key)) return;
    const schema = isQualified ? at(tokens, index - 2).text : null;
    calls.push({ schema, name: token.text, index, danger: dangerOf(token.text), isWord });
  });
  return calls;
}

/**
 * `WITH x (a) AS (…)`, `(…) AS d (a)`, `(…) d (a)`: the parenthesis holds column names, or is a
 * window's.
 */
function isColumnList(tokens: readonly Token[], index: number): boolean {
  if (dangerOf(at(tokens, index).text) !== null) return false;
  const before = at(tokens, index - 1);
  if (before.key === 'AS' || before.key === ')') return true;
  return follows(tokens, closing(tokens, index + 1) + 1, 'AS', '(') && ['WITH', 'RECURSIVE', ','].includes(before.key);
}

/**
 * SELECT SQL_NO_CACHE (1), EXPLAIN EXTENDED (…), PROCEDURE ANALYSE(): words of the statement, in
 * their places alone.
 */
function isModifier(tokens: readonly Token[], index: number): boolean {
  const { key } = at(tokens, index);
  const before = at(tokens, index - 1).key;
  if (selectOptions.has(key)) return before === 'SELECT' || before === 'DISTINCT' || selectOptions.has(before);
  if (key === 'EXTENDED' || key === 'PARTITIONS') return index === 1 && /^(EXPLAIN|DESCRIBE|DESC)$/.test(before);
  return key === 'ANALYSE' && before === 'PROCEDURE';
}

/**
 * @returns each once: the calls no list settles, which the catalog must answer for; and those that
 *   are built in on some servers only, behind whose names a stored function may stand.
 */
export function userDefined(calls: readonly Call[]): { unknown: QualifiedName[]; hiding: QualifiedName[] } {
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
