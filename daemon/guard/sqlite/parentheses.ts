/** Parentheses of a whole list of tokens at once: asked of each by itself, it would cost a walk each. */

import { isOperator, type Token } from './tokenizer.ts';

/** @returns for the index of each that opens the index of the one that closes it, where there is one. */
export function closingsOf(tokens: readonly Token[]): readonly (number | undefined)[] {
  const closings: (number | undefined)[] = new Array(tokens.length);
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const step = depthChange(token);
    if (step > 0) open.push(index);
    if (step >= 0) continue;
    const opening = open.pop();
    if (opening !== undefined) closings[opening] = index;
  }
  return closings;
}

/** How many parentheses are open at once, at most. */
export function deepest(tokens: readonly Token[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    most = Math.max(most, depth);
  }
  return most;
}

function depthChange(token: Token): number {
  return isOperator(token, '(') ? 1 : isOperator(token, ')') ? -1 : 0;
}
