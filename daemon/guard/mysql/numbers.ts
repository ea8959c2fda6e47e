/**
 * Finds, by the lexer's own rules, the end of a literal that begins with a digit, a dot or an
 * introducer letter.
 */

const hexadecimal = /0x[0-9A-Fa-f]+(?![A-Za-z0-9_$\u0080-\uffff])/y;
const binary = /0b[01]+(?![A-Za-z0-9_$\u0080-\uffff])/y;
const quotedBits = /[xX]'[0-9A-Fa-f]*'|[bB]'[01]*'/y;
/** A number with an exponent ends where its digits do: `1e5INTO` is a number and a keyword. */
const float = /(?:\d+\.\d*|\.\d+|\d+)[eE][+-]?\d+/y;
const decimal = /\d+\.\d*|\.\d+/y;
/** Without a dot or exponent, a following letter makes it a name: `1a`. */
const integer = /\d+(?![A-Za-z0-9_$\u0080-\uffff])/y;

/** @returns where the literal ends, or null if a name begins at `at`. */
export function numberEnd(text: string, at: number): number | null {
  for (const pattern of [hexadecimal, binary, quotedBits, float, decimal, integer]) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return at + found[0].length;
  }
  return null;
}
