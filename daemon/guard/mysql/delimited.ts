/**
 * Finds where comments, strings and quoted names end under one reading, and which comments are
 * code.
 */

import { executes, type Reading } from './reading.ts';

/** A text that the server's lexer refuses. If `hostile`, servers cut it differently. */
export class Failure extends Error {
  readonly hostile: boolean;
  constructor(sentence: string, hostile = false) {
    super(sentence);
    this.hostile = hostile;
  }
}

/** A space in some character sets, part of a name in others. */
export const foreignBlank = /[\u0080-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/;

/**
 * `--` begins a comment only before a blank, a control character or the end: `--1` is minus minus
 * one.
 */
export function startsLineComment(text: string, after: number): boolean {
  const char = text.charAt(after);
  if (foreignBlank.test(char)) throw new Failure('A blank after -- is not ASCII; use a plain one.', true);
  return char === '' || char <= ' ' || char === '\x7f';
}

interface Comment {
  readonly kind: 'code' | 'comment' | 'hint';
  readonly end: number;
  readonly isExecutable: boolean;
}

export function openComment(text: string, at: number, reading: Reading): Comment {
  const executable = /^(M?)!(\d{0,6})/.exec(text.slice(at + 2, at + 10));
  const isExecutable = executable !== null;
  if (executable !== null) {
    const [whole, mariadb, digits] = [executable[0], executable[1] === 'M', executable[2] ?? ''];
    const { skip, run } = executes(reading.server, mariadb, digits);
    if (run) return { kind: 'code', end: at + 2 + whole.length - digits.length + skip, isExecutable };
  }
  const close = text.indexOf('*/', at + 2);
  if (close < 0) throw new Failure('A comment has no end; close it.');
  // Servers disagree on whether a skipped executable comment nests.
  if (isExecutable && text.slice(at + 2, close).includes('/*'))
    throw new Failure('A comment is inside an executable comment; leave it out.', true);
  return { kind: text.charAt(at + 2) === '+' ? 'hint' : 'comment', end: close + 2, isExecutable };
}

export function stringEnd(text: string, start: number, reading: Reading): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') {
      if (reading.backslash === 'escapes') at++;
      else if (reading.backslash === 'leadByte' && text.charCodeAt(at - 1) < 0x80) at++;
    } else if (char === quote) {
      if (text.charAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
  throw new Failure('A quoted string has no end; close it.');
}

export function doubledEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) !== quote) continue;
    if (text.charAt(at + 1) !== quote) return at + 1;
    at++;
  }
  throw new Failure('A quoted name has no end; close it.');
}
