/** The tokens of a definition as SQLite keeps it, comments among them. */

const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z0-9_$\u0080-\uFFFF]+|[^\s]/g;

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function tokensOf(definition: string): readonly Token[] {
  return [...definition.matchAll(tokens)].map(match => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

export function isComment({ text }: Token): boolean {
  return text.startsWith('--') || text.startsWith('/*');
}

export function unquoted(name: string): string {
  const quote = name[0] ?? '';
  if (quote === '[') return name.slice(1, -1);
  return '"\'`'.includes(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
