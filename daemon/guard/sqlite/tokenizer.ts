/**
 * Cuts a statement into SQLite's own tokens (src/tokenize.c), without comments and blanks.
 * Classifies nothing.
 */

export interface Token {
  /**
   * `word`: an unquoted name or keyword. `name`: one in quotes, brackets or backticks. `illegal`:
   * what SQLite would refuse.
   */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'blob' | 'parameter' | 'operator' | 'illegal';
  /**
   * Words are folded to lower case. Quoted names are unquoted and folded. Everything else is as
   * written.
   */
  readonly text: string;
}

/**
 * A vertical tab is a blank only after another blank. A byte order mark is one wherever a token may
 * start.
 */
const blank = /\ufeff|[ \t\n\f\r][ \t\n\v\f\r]*/y;
/** To SQLite, every character beyond ASCII, `_` and `$` (not first) is part of a word. */
const wordStart = /[A-Za-z_\u0080-\uffff]/;
const wordPart = /[A-Za-z0-9_$\u0080-\uffff]/;
const operators = ['->>', '<<', '>>', '<=', '>=', '<>', '==', '!=', '||', '->'];

export function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text;
}

export function isOperator(token: Token | undefined, text: string): boolean {
  return token?.kind === 'operator' && token.text === text;
}

export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const skipped = skipBlank(sql, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const { token, end } = readToken(sql, at);
    tokens.push(token);
    at = end;
  }
  return tokens;
}

function skipBlank(sql: string, at: number): number {
  blank.lastIndex = at;
  if (blank.test(sql)) return blank.lastIndex;
  if (sql.startsWith('--', at)) {
    const end = sql.indexOf('\n', at);
    return end === -1 ? sql.length : end + 1;
  }
  // `/*` alone at the end of the text is a slash and a star. With anything after it, an open
  // comment runs to the end.
  if (sql.startsWith('/*', at) && at + 2 < sql.length) {
    const end = sql.indexOf('*/', at + 2);
    return end === -1 ? sql.length : end + 2;
  }
  return at;
}

interface Read {
  readonly token: Token;
  readonly end: number;
}

function readToken(sql: string, at: number): Read {
  const first = sql.charAt(at);
  if (/[xX]/.test(first) && sql.charAt(at + 1) === "'") return readQuoted(sql, at + 1, "'", 'blob');
  if (wordStart.test(first)) return readWord(sql, at);
  if (/[0-9]/.test(first) || (first === '.' && /[0-9]/.test(sql.charAt(at + 1)))) return readNumber(sql, at);
  if (first === "'") return readQuoted(sql, at, "'", 'string');
  if (first === '"' || first === '`') return readQuoted(sql, at, first, 'name');
  if (first === '[') return readBracketed(sql, at);
  if (/[?:@#$]/.test(first)) return readParameter(sql, at);
  const operator = operators.find(text => sql.startsWith(text, at)) ?? first;
  const kind = '()+-*/%=<>!&|~,;.'.includes(first) ? 'operator' : 'illegal';
  return { token: { kind, text: operator }, end: at + operator.length };
}

function readWord(sql: string, at: number): Read {
  let end = at + 1;
  while (end < sql.length && wordPart.test(sql.charAt(end))) end++;
  return { token: { kind: 'word', text: folded(sql.slice(at, end)) }, end };
}

function readNumber(sql: string, at: number): Read {
  const [text = ''] = /^(0[xX][0-9A-Fa-f_]+|[0-9_]*\.?[0-9_]*([eE][+-]?[0-9_]+)?)/.exec(sql.slice(at, at + 256)) ?? [];
  const end = at + Math.max(1, text.length);
  // To SQLite, `1abc` is one illegal token, never a number and a word.
  const kind = wordPart.test(sql.charAt(end)) ? 'illegal' : 'number';
  return { token: { kind, text }, end };
}

function readQuoted(sql: string, at: number, quote: string, kind: Token['kind']): Read {
  let end = at + 1;
  for (;;) {
    end = sql.indexOf(quote, end);
    if (end === -1) return { token: { kind: 'illegal', text: sql.slice(at) }, end: sql.length };
    if (sql.charAt(end + 1) !== quote) break;
    end += 2;
  }
  const inside = sql.slice(at + 1, end).replaceAll(quote + quote, quote);
  return { token: { kind, text: kind === 'name' ? folded(inside) : inside }, end: end + 1 };
}

function readBracketed(sql: string, at: number): Read {
  const end = sql.indexOf(']', at);
  if (end === -1) return { token: { kind: 'illegal', text: sql.slice(at) }, end: sql.length };
  return { token: { kind: 'name', text: folded(sql.slice(at + 1, end)) }, end: end + 1 };
}

function readParameter(sql: string, at: number): Read {
  const part = sql.charAt(at) === '?' ? /[0-9]/ : wordPart;
  let end = at + 1;
  while (end < sql.length && part.test(sql.charAt(end))) end++;
  // To a build with Tcl's variables, `$a(…)` and `$a::b` are one variable, quotes and all. To other
  // builds they are nothing at all.
  const isTcl = sql.charAt(at) !== '?' && (sql.charAt(end) === '(' || sql.startsWith('::', end));
  return { token: { kind: isTcl ? 'illegal' : 'parameter', text: sql.slice(at, end) }, end };
}

/** SQLite folds ASCII only. */
export function folded(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}
