/** What a MySQL or MariaDB text is made of. Says nothing about what a statement means. */

export type TokenKind =
  /** An unquoted name or keyword. */
  | 'word'
  /**
   * A name in backticks (or in double quotes under ANSI_QUOTES), or one right after a dot. It is
   * never a keyword.
   */
  | 'name'
  | 'string'
  | 'number'
  /** `@name` or `@@name`. */
  | 'variable'
  /** A bound value: `?`. */
  | 'placeholder'
  | 'punctuation'
  /** The content of an optimizer hint; it takes no part in the grammar. */
  | 'hint';

export interface Token {
  readonly kind: TokenKind;
  /** Without quotes for names and strings, otherwise as written. */
  readonly text: string;
  /** The keyword or punctuation mark in capitals; '' for a token that can't be one. */
  readonly key: string;
  /** Offsets in the statement's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /**
   * For an opening parenthesis: after how many tokens it is closed, without counting hints; absent
   * if it isn't closed.
   */
  readonly span?: number;
}

const nothing: Token = { kind: 'punctuation', text: '', key: '', start: 0, end: 0 };

/** @returns an empty token outside the list, so looking ahead needs no bounds. */
export function tokenAt(tokens: readonly Token[], index: number): Token {
  return tokens[index] ?? nothing;
}

/** True if the keywords stand at `index`, one after the other. */
export function keywordsAt(tokens: readonly Token[], index: number, ...keys: readonly string[]): boolean {
  return keys.every((key, offset) => tokenAt(tokens, index + offset).key === key);
}

export function hasKeywords(tokens: readonly Token[], ...keys: readonly string[]): boolean {
  return tokens.some((_, index) => keywordsAt(tokens, index, ...keys));
}

export function isName(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'name';
}

/** @returns the index of the parenthesis that closes the one at `open`, or the end of the list. */
export function closingParenthesis(tokens: readonly Token[], open: number): number {
  return Math.min(open + (tokenAt(tokens, open).span ?? tokens.length), tokens.length);
}

/** Index of the first of `keys` outside parentheses; the number of tokens if there is none. */
export function indexAtTop(tokens: readonly Token[], from: number, keys: ReadonlySet<string>): number {
  for (let index = from; index < tokens.length; index++) {
    const { key } = tokenAt(tokens, index);
    if (key === '(') index = closingParenthesis(tokens, index);
    else if (keys.has(key)) return index;
  }
  return tokens.length;
}

/** @returns the tokens outside every parenthesis, with the parentheses themselves. */
export function outsideParentheses(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(token => {
    if (token.key === ')') depth--;
    const keep = depth === 0;
    if (token.key === '(') depth++;
    return keep;
  });
}

/** Far more than people write, and near what the servers' own stacks bear. */
export const maxDepth = 200;

export function isTooDeep(tokens: readonly Token[]): boolean {
  let now = 0;
  return tokens.some(({ key }) => {
    if (key === '(') now++;
    else if (key === ')') now = Math.max(0, now - 1);
    return now > maxDepth;
  });
}
