/**
 * Whether the body of a routine, trigger or event ends where the text ends, so no second statement
 * can follow it.
 */

import { closingParenthesis, outsideParentheses, type Token, tokenAt } from './tokens.ts';

const openers = new Set(['BEGIN', 'IF', 'CASE', 'LOOP', 'WHILE', 'REPEAT', 'FOR', 'DECLARE']);

/** @param tokens the whole CREATE, without a last semicolon. */
export function blockEnds(tokens: readonly Token[]): boolean {
  let depth = 0;
  let hasEnded = false;
  for (let index = 0; index < tokens.length; index++) {
    const { key } = tokenAt(tokens, index);
    if (hasEnded && key === ';') return false;
    if (key === ';' && depth === 0) return false;
    if (key === 'END') {
      depth--;
      if (openers.has(tokenAt(tokens, index + 1).key)) index++;
      hasEnded = depth <= 0;
    } else if (opens(tokens, index)) {
      // After the END of the outermost block, only a label may follow.
      if (hasEnded && depth === 0) return false;
      depth++;
    }
  }
  return depth <= 0;
}

function opens(tokens: readonly Token[], index: number): boolean {
  const { key } = tokenAt(tokens, index);
  if (key === 'CASE') return true;
  if (key === 'BEGIN' || key === 'LOOP') return true;
  if (key === 'IF') return !['EXISTS', 'NOT'].includes(tokenAt(tokens, index + 1).key) && !isIfFunction(tokens, index);
  if (key === 'REPEAT') return tokenAt(tokens, index + 1).key !== '(';
  if (key === 'WHILE') return true;
  // FOR i IN 1..10 DO … END FOR (MariaDB), but not FOR EACH ROW, FOR UPDATE or a HANDLER FOR.
  return key === 'FOR' && tokenAt(tokens, index + 2).key === 'IN';
}

/** True for IF(a, b, c). IF (a) THEN begins a statement. */
function isIfFunction(tokens: readonly Token[], index: number): boolean {
  if (tokenAt(tokens, index + 1).key !== '(') return false;
  const inside = tokens.slice(index + 2, closingParenthesis(tokens, index + 1));
  return outsideParentheses(inside).some(token => token.key === ',');
}
