/** How deeply a list of tokens is nested. */

import { isOperator, type Token } from './tokenizer.ts';

/** How many parentheses are open at once, at most. */
export function deepest(tokens: readonly Token[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    depth += isOperator(token, '(') ? 1 : isOperator(token, ')') ? -1 : 0;
    most = Math.max(most, depth);
  }
  return most;
}
