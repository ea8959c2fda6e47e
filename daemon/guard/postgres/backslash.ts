/**
 * The other reading of a statement. On a server with `standard_conforming_strings` off, a backslash
 * in a plain string escapes, so `'\'` does not end where it seems to. Rewrites the text so that the
 * parser reads it that way.
 */

const identifier = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const lineComment = /--[^\n\r]*/y;
const escapeStringBody = /(?:[^'\\]|\\[\s\S]|'')*'?/y;
const plainStringBody = /(?:[^']|'')*'?/y;
const quotedIdentifierBody = /(?:[^"]|"")*"?/y;
/**
 * A string continues after a line break and another quote. Comments may stand between, each to the
 * end of its line.
 */
const continuation = /[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*'/y;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  return match === null ? -1 : start + match[0].length;
}

function endOfBlockComment(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('/*', at)) {
      depth++;
      at++;
    } else if (text.startsWith('*/', at)) {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function endOfString(body: RegExp, text: string, start: number): number {
  let end = endOf(body, text, start);
  for (let next = endOf(continuation, text, end); next !== -1; next = endOf(continuation, text, end)) {
    end = endOf(body, text, next);
  }
  return end;
}

/** @returns null if both readings are the same, or if such a server refuses the text anyway. */
export function readingWithBackslashEscapes(sql: string): string | null {
  if (!sql.includes('\\')) return null;
  let rewritten = '';
  let copied = 0;
  let at = 0;
  while (at < sql.length) {
    const character = sql[at];
    if (character === "'") {
      rewritten += `${sql.slice(copied, at)}E`;
      copied = at;
      at = endOfString(escapeStringBody, sql, at + 1);
    } else if (character === '"') {
      at = endOf(quotedIdentifierBody, sql, at + 1);
    } else if (character === '-' && sql[at + 1] === '-') {
      at = endOf(lineComment, sql, at);
    } else if (character === '/' && sql[at + 1] === '*') {
      at = endOfBlockComment(sql, at);
    } else if (character === '$') {
      const body = endOf(dollarTag, sql, at);
      if (body === -1) {
        at++;
        continue;
      }
      const closing = sql.indexOf(sql.slice(at, body), body);
      if (closing === -1) return null;
      at = closing + (body - at);
    } else {
      const end = endOf(identifier, sql, at);
      if (end === -1) {
        at++;
        continue;
      }
      const word = sql.slice(at, end).toLowerCase();
      if (word === 'u' && sql.startsWith("&'", end)) return null;
      if (sql[end] === "'" && (word === 'e' || word === 'b' || word === 'x')) {
        at = endOfString(word === 'e' ? escapeStringBody : plainStringBody, sql, end + 1);
      } else if (sql[end] === "'" && word === 'n') {
        rewritten += sql.slice(copied, at);
        copied = end;
        at = end;
      } else {
        at = end;
      }
    }
  }
  return copied === 0 && rewritten === '' ? null : rewritten + sql.slice(copied);
}
