/** Cuts the body of a routine, trigger or event into its single statements. Classifies nothing. */

import { closingParenthesis, isName, type Token, tokenAt } from './tokens.ts';

const loops = new Set(['WHILE', 'FOR']);
/** What stands between a condition and the statements that follow it. */
const leads = new Set(['THEN', 'DO', 'LOOP']);
/** Words after which the next statement begins at once. */
const transparent = new Set(['BEGIN', 'ELSE', 'LOOP', 'REPEAT', 'NOT', 'ATOMIC']);

/**
 * @returns each statement's tokens, without the control flow around them. For an IF, CASE or loop,
 *   it gives the words up to the first statement in it. Flow that isn't understood leaves its words
 *   in front of a statement, so no verb is found there.
 */
export function statementsOf(body: readonly Token[]): (readonly Token[])[] {
  const statements: (readonly Token[])[] = [];
  let start = -1;
  let expects = true;
  let isFlow = false;
  const end = (index: number): void => {
    if (start >= 0 && index > start) statements.push(body.slice(start, index));
    start = -1;
  };
  for (let index = 0; index < body.length; index++) {
    const { key } = tokenAt(body, index);
    if (key === ';') {
      end(index);
      expects = true;
      isFlow = false;
    } else if (expects) {
      const next = afterPrefix(body, index);
      if (next > index) {
        index = next - 1;
        continue;
      }
      start = index;
      expects = false;
      isFlow = ['IF', 'ELSEIF', 'CASE', 'WHEN'].includes(key) || loops.has(key);
      if (key === '(') index = closingParenthesis(body, index);
    } else if (key === '(') index = closingParenthesis(body, index);
    else if (key === 'CASE') index = afterCase(body, index) - 1;
    else if (isFlow && leads.has(key)) {
      end(index);
      expects = true;
      isFlow = false;
    }
  }
  end(body.length);
  return statements;
}

/**
 * Index after a label, after words that only open a block, or after the head of a DECLARE … HANDLER
 * or CURSOR.
 */
function afterPrefix(body: readonly Token[], index: number): number {
  const { key } = tokenAt(body, index);
  const next = tokenAt(body, index + 1);
  if (isName(tokenAt(body, index)) && next.key === ':') return index + 2;
  if (key === '<<' && tokenAt(body, index + 2).key === '>>') return index + 3;
  if (key === 'BEGIN' && next.key === 'WORK') return index;
  if (transparent.has(key)) return index + 1;
  if (key !== 'DECLARE') return index;
  if (tokenAt(body, index + 2).key === 'HANDLER' && tokenAt(body, index + 3).key === 'FOR')
    return afterConditions(body, index + 4);
  if (next.kind !== 'punctuation' && tokenAt(body, index + 2).key === 'CURSOR') {
    const behind = tokenAt(body, index + 3).key === '(' ? closingParenthesis(body, index + 3) + 1 : index + 3;
    return tokenAt(body, behind).key === 'FOR' ? behind + 1 : index;
  }
  return index;
}

/** NOT FOUND, SQLEXCEPTION, SQLSTATE VALUE '23000', 1062, a_name */
function afterConditions(body: readonly Token[], from: number): number {
  let index = from;
  for (;;) {
    const { key } = tokenAt(body, index);
    if (key === 'SQLSTATE') index += tokenAt(body, index + 1).key === 'VALUE' ? 3 : 2;
    else index += key === 'NOT' ? 2 : 1;
    if (tokenAt(body, index).key !== ',') return index;
    index++;
  }
}

/** Index after the END of a CASE that is part of an expression. */
function afterCase(body: readonly Token[], from: number): number {
  let depth = 0;
  for (let index = from; index < body.length; index++) {
    const { key } = tokenAt(body, index);
    if (key === '(') index = closingParenthesis(body, index);
    else if (key === ';') return index;
    else if (key === 'CASE') depth++;
    else if (key === 'END' && --depth === 0) return index + 1;
  }
  return body.length;
}
