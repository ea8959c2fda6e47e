/** Takes out of a plain form what a list only repeats: a parser that builds a tree of it would need 0.7 KB for each. */

import type { PlainToken } from './plain-form.ts';

/** Tokens of an item that is compared. */
const longestItem = 8;

/** An item goes where it stands between commas and is the one before it again. What remains of a list of many has three or more. */
export function withoutRepeats(tokens: readonly PlainToken[]): readonly PlainToken[] {
  const kept: PlainToken[] = [];
  let before: string | null = null;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as PlainToken;
    const end = token.key === ',' ? itemEnd(tokens, at + 1) : null;
    const item = end === null ? null : textOf(tokens, at + 1, end);
    if (end !== null && item === before) {
      at = end - 1;
      continue;
    }
    kept.push(token);
    // Behind this comma only an item between two commas is one to compare with.
    if (token.key === ',') before = item;
  }
  return kept;
}

/** Index of the comma that ends the item which begins there; null where it is too long, or ends otherwise. */
function itemEnd(tokens: readonly PlainToken[], start: number): number | null {
  let depth = 0;
  for (let at = start; at < Math.min(start + longestItem, tokens.length); at++) {
    const { key } = tokens[at] as PlainToken;
    if (key === ',' && depth === 0) return at;
    if (key === '(') depth++;
    if (key === ')' && --depth < 0) return null;
  }
  return null;
}

function textOf(tokens: readonly PlainToken[], start: number, end: number): string {
  return tokens
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ');
}
