/** The tokens of a definition as SQLite keeps it, comments included. */

const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z0-9_$\u0080-\uFFFF]+|[^\s]/g;

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function tokensOf(definition: string): readonly Token[] {
  const found: Token[] = [];
  // One by one: with 100,000 matches at once, garbage collection takes more than twice as long as
  // with 50,000.
  for (const { 0: text, index } of definition.matchAll(tokens)) {
    found.push({ text, start: index, end: index + text.length });
  }
  return found;
}

export function isComment({ text }: Token): boolean {
  return text.startsWith('--') || text.startsWith('/*');
}

export function unquoted(name: string): string {
  const quote = name[0] ?? '';
  if (quote === '[') return name.slice(1, -1);
  return '"\'`'.includes(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}

export function isWord(token: Token | undefined, word: string): boolean {
  return token?.text.toLowerCase() === word;
}

/** Maps each opening parenthesis to its closing one. */
export function closingsOf(all: readonly Token[]): ReadonlyMap<Token, Token> {
  const closings = new Map<Token, Token>();
  const open: Token[] = [];
  for (const token of all) {
    if (token.text === '(') open.push(token);
    const opening = token.text === ')' ? open.pop() : undefined;
    if (opening !== undefined) closings.set(opening, token);
  }
  return closings;
}
