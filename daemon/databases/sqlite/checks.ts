/**
 * The CHECK constraints in a table's definition, the only place where SQLite keeps them. Reliable because CHECK and
 * CONSTRAINT are reserved words there: outside quotes and comments they can be nothing else.
 */

import type { TableDescription } from '../../query/database.ts';

const tokens =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z0-9_$\u0080-\uFFFF]+|[^\s]/g;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function checksIn(definition: string): TableDescription['checks'] {
  const found = [...definition.matchAll(tokens)]
    .map(match => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
    .filter(({ text }) => !text.startsWith('--') && !text.startsWith('/*'));
  const closings = closingsOf(found);
  return found.flatMap((token, at) => {
    const open = found[at + 1];
    if (!isWord(token, 'check') || open?.text !== '(') return [];
    const close = closings.get(open);
    if (!close) return [];
    const name = isWord(found[at - 2], 'constraint') ? unquoted(found[at - 1]?.text ?? '') : null;
    return [{ name, expression: definition.slice(open.end, close.start).trim() }];
  });
}

/** What its author wrote beside the SQL, the only comments that SQLite keeps. */
export function commentsIn(definition: string): readonly string[] {
  return [...definition.matchAll(tokens)].flatMap(([token]) => {
    if (token.startsWith('--')) return [token.slice(2).trim()];
    return token.startsWith('/*') ? [token.replace(/^\/\*|\*\/$/g, '').trim()] : [];
  });
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.text.toLowerCase() === word;
}

/** Of each parenthesis that opens the one that closes it. */
function closingsOf(all: readonly Token[]): ReadonlyMap<Token, Token> {
  const closings = new Map<Token, Token>();
  const open: Token[] = [];
  for (const token of all) {
    if (token.text === '(') open.push(token);
    const opening = token.text === ')' ? open.pop() : undefined;
    if (opening !== undefined) closings.set(opening, token);
  }
  return closings;
}

function unquoted(name: string): string {
  const quote = name[0] ?? '';
  if (quote === '[') return name.slice(1, -1);
  return '"\'`'.includes(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
