/** Which parenthesis closes which, for a whole list of tokens at once: asked of each by itself, it would cost a walk each. */

/**
 * @param change 1 for a token that opens, -1 for one that closes, 0 for any other.
 * @returns for the index of each that opens the index of the one that closes it, where there is one.
 */
export function closingsOf<T>(tokens: readonly T[], change: (token: T) => number): readonly (number | undefined)[] {
  const closings: (number | undefined)[] = new Array(tokens.length);
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    const step = change(token);
    if (step > 0) open.push(index);
    if (step >= 0) continue;
    const opening = open.pop();
    if (opening !== undefined) closings[opening] = index;
  }
  return closings;
}
