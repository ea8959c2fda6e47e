/**
 * Cuts a text into tokens as the server's lexer does under one reading. Knows no grammar. A text
 * that can't be cut is a failure: the server answers it with a syntax error. A `hostile` failure
 * refuses the text, whatever other readings say.
 */

import { doubledEnd, Failure, foreignBlank, openComment, startsLineComment, stringEnd } from './delimited.ts';
import { numberEnd } from './numbers.ts';
import type { Reading } from './reading.ts';
import type { Token, TokenKind } from './tokens.ts';

type Tokens =
  | {
      readonly kind: 'tokens';
      readonly tokens: readonly Token[];
      /** True if the text has a comment that some server runs, this one or another. */
      readonly hasExecutableComment: boolean;
    }
  | { readonly kind: 'failure'; readonly sentence: string; readonly hostile: boolean };

const space = /[ \t\n\v\f\r]/;
/** Every character beyond ASCII may be part of a name. */
const wordStart = /[A-Za-z0-9_$\u0080-\uffff]/;
const wordRest = /[A-Za-z0-9_$\u0080-\uffff]*/y;
const variableName = /[A-Za-z0-9_$.\u0080-\uffff]*/y;
const marks = ['<=>', '->>', ':=', '<=', '>=', '<>', '!=', '||', '&&', '<<', '>>', '->', '@@'];
const singles = '+-*/%=<>!&|^~.,;(){}:?@';

export function tokenize(text: string, reading: Reading): Tokens {
  try {
    return { kind: 'tokens', ...cut(text, reading) };
  } catch (error) {
    if (error instanceof Failure) return { kind: 'failure', sentence: error.message, hostile: error.hostile };
    throw error;
  }
}

type Cut = { -readonly [Name in keyof Token]: Token[Name] };

function cut(text: string, reading: Reading): { tokens: Token[]; hasExecutableComment: boolean } {
  const tokens: Cut[] = [];
  const open: { readonly token: Cut; readonly place: number }[] = [];
  let place = 0;
  let hasExecutableComment = false;
  let hasForeignBlank = false;
  let inCode = false;
  let at = 0;
  const push = (kind: TokenKind, start: number, end: number, value = text.slice(start, end)): void => {
    // Keywords are ASCII: `ſet` is a name, though its capitals are SET.
    const isKey = kind === 'punctuation' || (kind === 'word' && !/[^\0-\x7f]/.test(value));
    const key = isKey ? value.toUpperCase() : '';
    const token: Cut = { kind, text: value, key, start, end };
    tokens.push(token);
    at = end;
    if (key === '(') open.push({ token, place });
    const opened = key === ')' ? open.pop() : undefined;
    if (opened !== undefined) opened.token.span = place - opened.place;
    if (kind !== 'hint') place++;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (space.test(char)) at++;
    else if (char === '#' || (char === '-' && next === '-' && startsLineComment(text, at + 2))) {
      const end = text.indexOf('\n', at);
      // A line comment inside executed code would swallow the code's end on one server and not on
      // another.
      if (inCode) throw new Failure('A line comment is inside an executable comment.', true);
      const stop = end < 0 ? text.length : end;
      if (/[\u0085\u2028\u2029]/.test(text.slice(at, stop)))
        throw new Failure('A line comment contains a line separator that is not ASCII; leave it out.', true);
      at = stop;
    } else if (char === '/' && next === '*') {
      const opened = openComment(text, at, reading);
      if (inCode && opened.kind !== 'hint')
        throw new Failure('A comment is inside an executable comment; leave it out.', true);
      if (opened.kind === 'hint') push('hint', at, opened.end, text.slice(at + 3, opened.end - 2));
      else at = opened.end;
      if (opened.kind === 'code') inCode = true;
      if (opened.isExecutable) hasExecutableComment = true;
    } else if (inCode && char === '*' && next === '/') {
      inCode = false;
      at += 2;
    } else if (char === "'" || (char === '"' && !reading.ansiQuotes)) {
      const end = stringEnd(text, at, reading);
      push('string', at, end, text.slice(at + 1, end - 1));
    } else if (char === '`' || char === '"') {
      const end = doubledEnd(text, at);
      push('name', at, end, text.slice(at + 1, end - 1).replaceAll(char + char, char));
    } else if (char === '@') {
      at = variableStart(text, at);
      const quote = text.charAt(at);
      if (quote === "'" || (quote === '"' && !reading.ansiQuotes)) push('variable', at, stringEnd(text, at, reading));
      else if (quote === '`' || quote === '"') push('variable', at, doubledEnd(text, at));
      else push('variable', at, end(variableName, text, at));
    } else if (wordStart.test(char) || (char === '.' && /[0-9]/.test(next) && !isAfterName(tokens, text, at))) {
      const last = tokens.at(-1);
      const isAfterDot = last?.key === '.' && last.start === at - 1;
      const number = isAfterDot ? null : numberEnd(text, at);
      if (number !== null) push('number', at, number);
      else {
        const stop = end(wordRest, text, at);
        if (foreignBlank.test(text.slice(at, stop))) hasForeignBlank = true;
        push(isAfterDot ? 'name' : 'word', at, stop);
      }
    } else if (text.startsWith('\\N', at)) push('word', at, at + 2, 'NULL');
    else if (char === '\\')
      throw new Failure('A backslash outside quotes is a client command such as \\G, not SQL; send SQL.');
    else {
      const mark = marks.find(each => text.startsWith(each, at)) ?? (singles.includes(char) ? char : null);
      if (mark === null) throw new Failure('A character outside quotes is no part of SQL here; remove it.');
      push(mark === '?' ? 'placeholder' : 'punctuation', at, at + mark.length);
    }
  }
  if (inCode) throw new Failure('An executable comment has no end; close it.');
  // The servers take it for a name. A reading in which the blank is inside quotes must not decide
  // instead.
  if (hasForeignBlank) throw new Failure('A blank outside quotes is not ASCII; use a plain one.', true);
  return { tokens, hasExecutableComment };
}

function end(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

function isAfterName(tokens: readonly Token[], text: string, at: number): boolean {
  const last = tokens.at(-1);
  return last !== undefined && (last.kind === 'word' || last.kind === 'name') && !space.test(text.charAt(at - 1));
}

/**
 * Index after `@` or `@@`. The caller cuts the name. `@` alone (`'user'@'host'`) gives an empty
 * name.
 */
function variableStart(text: string, at: number): number {
  return text.startsWith('@@', at) ? at + 2 : at + 1;
}
