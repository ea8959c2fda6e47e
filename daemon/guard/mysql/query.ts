/**
 * Classifies SELECT, WITH, TABLE and VALUES: a read, unless a clause or function in it stores,
 * locks or isn't understood.
 */

import type { FunctionCall } from './calls.ts';
import { whatCallDoes } from './functions.ts';
import { closingParenthesis, hasKeywords, keywordsAt, type Token, tokenAt } from './tokens.ts';
import { forbidden, type Reason, read, say, type Verdict, write } from './verdict.ts';

/**
 * Reserved words that begin other statements. Unquoted they can't be names, so they have no place
 * in a query.
 */
const otherVerbs = new Set(
  `ALTER ANALYZE CALL CREATE DELETE DROP EXPLAIN GRANT INSERT KILL LOAD OPTIMIZE PURGE RENAME REPLACE REVOKE SET SIGNAL
  RESIGNAL UPDATE UNLOCK TRIGGER DECLARE OUTFILE INFILE LOOP WHILE ITERATE LEAVE RETURN SHOW USE`.split(/\s+/),
);

/**
 * True if such a word is part of a query after all: FOR UPDATE, REPLACE(…), USE INDEX, CHARACTER
 * SET, EMPTY ON …
 */
export function isPartOfQuery(tokens: readonly Token[], index: number): boolean {
  const { key } = tokenAt(tokens, index);
  const before = tokenAt(tokens, index - 1).key;
  const after = tokenAt(tokens, index + 1).key;
  if (['INSERT', 'REPLACE', 'TRUNCATE'].includes(key)) return after === '(';
  if (key === 'UPDATE') return before === 'FOR';
  if (key === 'USE') return after === 'INDEX' || after === 'KEY';
  if (key === 'SET') return before === 'CHARACTER' || before === 'CHAR';
  return false;
}

export function classifyQuery(tokens: readonly Token[], calls: readonly FunctionCall[]): Verdict {
  const stored = storedBy(tokens, calls);
  if (stored !== null) return write(stored);
  const foreign = foreignVerb(tokens);
  if (foreign !== null)
    return forbidden(`${foreign} is inside a query, and this gate knows no such statement; correct it.`);
  for (let index = 0; index < tokens.length; index++) {
    const { key } = tokenAt(tokens, index);
    if (key === 'PROCEDURE' && !/^analyse$/i.test(tokenAt(tokens, index + 1).text)) {
      return forbidden('A query hands its rows to a PROCEDURE that this gate does not know.');
    }
  }
  return read('A query without a clause or function that writes.');
}

/** @returns the first reserved word of another statement, or null. */
export function foreignVerb(tokens: readonly Token[]): string | null {
  return tokens.find(({ key }, index) => otherVerbs.has(key) && !isPartOfQuery(tokens, index))?.key ?? null;
}

/**
 * @param isPlan true for EXPLAIN. It takes no row locks and assigns nothing, but does run
 *   functions: in a derived table, or to look up a constant (measured: MariaDB 10.11 moved a
 *   sequence and ran a writing function).
 * @returns why an expression or query changes something although it gives rows; null if it only
 *   reads.
 */
export function storedBy(tokens: readonly Token[], calls: readonly FunctionCall[], isPlan = false): Reason | null {
  for (const { name, danger } of calls) {
    if (danger !== null) return whatCallDoes(name, danger);
  }
  // `@r := @r + 1` sets a variable that ends with the call: each call has a session that is as new.
  if (tokens.some(({ key }, index) => key === ':=' && tokenAt(tokens, index - 1).kind !== 'variable'))
    return say(':= sets something other than a variable like @x.');
  // A plan, too, evaluates an expression that is the same for each row.
  const moving = sequenceMove(tokens);
  if (moving !== null) return say('%@ moves a sequence.', moving);
  if (isPlan) return null;
  for (let index = 0; index < tokens.length; index++) {
    if (tokenAt(tokens, index).key === 'INTO') return say('SELECT … INTO stores what it reads.');
    if (keywordsAt(tokens, index, 'FOR', 'UPDATE')) return say('FOR UPDATE locks rows.');
    if (keywordsAt(tokens, index, 'FOR', 'SHARE')) return say('FOR SHARE locks rows.');
    if (keywordsAt(tokens, index, 'LOCK', 'IN', 'SHARE', 'MODE')) return say('LOCK IN SHARE MODE locks rows.');
  }
  return null;
}

/**
 * Words that take a sequence's next value without a function: `s.NEXTVAL` in MariaDB's Oracle mode.
 * A column may have that name, too.
 */
export function sequenceMove(tokens: readonly Token[]): string | null {
  if (hasKeywords(tokens, 'NEXT', 'VALUE', 'FOR')) return 'NEXT VALUE FOR';
  const isMoved = tokens.some(
    (token, index) => /^nextval$/i.test(token.text) && tokenAt(tokens, index - 1).key === '.',
  );
  return isMoved ? 'NEXTVAL' : null;
}

/** @returns the index of the verb that a WITH clause at `from` leads to, or -1. */
export function verbAfterWith(tokens: readonly Token[], from: number): number {
  for (let index = from + 1; index < tokens.length; index++) {
    const { key } = tokenAt(tokens, index);
    if (key === '(') index = closingParenthesis(tokens, index);
    else if (['SELECT', 'TABLE', 'VALUES', 'UPDATE', 'DELETE', 'INSERT', 'REPLACE', 'WITH'].includes(key)) return index;
  }
  // Such as WITH x AS (…) (SELECT …).
  return -1;
}
