/** The tokens of a condition, and how they hang together: parentheses, separators, likeness. Judges nothing. */

/** As the tokenizer gives them: keywords and names in lower case. */
export interface ConditionToken {
  readonly kind: string;
  readonly text: string;
}

export function unwrapped(tokens: readonly ConditionToken[]): readonly ConditionToken[] {
  let inside = tokens;
  while (inside.length >= 2 && isOperator(inside[0], '(') && closesAtEnd(inside)) inside = inside.slice(1, -1);
  return inside;
}

function closesAtEnd(tokens: readonly ConditionToken[]): boolean {
  let depth = 0;
  return tokens.every((token, index) => {
    depth += depthChange(token);
    return depth > 0 || index === tokens.length - 1;
  });
}

export function closingAt(tokens: readonly ConditionToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    depth += depthChange(tokens[at] as ConditionToken);
    if (depth === 0) return at;
  }
  return tokens.length;
}

export function splitAt(
  tokens: readonly ConditionToken[],
  isSeparator: (token: ConditionToken) => boolean,
): ConditionToken[][] {
  const parts: ConditionToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (depth === 0 && isSeparator(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

export function sameTokens(a: readonly ConditionToken[], b: readonly ConditionToken[]): boolean {
  return (
    a.length === b.length && a.every((token, index) => token.kind === b[index]?.kind && token.text === b[index]?.text)
  );
}

export function depthChange(token: ConditionToken): number {
  if (token.kind !== 'operator') return 0;
  return token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
}

export function isWord(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

export function isOperator(token: ConditionToken | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}

/** How many parentheses are open at once, at most. */
export function deepest(tokens: readonly ConditionToken[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    most = Math.max(most, depth);
  }
  return most;
}
