/**
 * Parses the output of a password command: a password, or JSON that also says when it ends (spec
 * §6). Touches nothing.
 */

import { isObject, parsedJson } from '../../../shared/json.ts';

export interface PrintedPassword {
  readonly password: string;
  /** Milliseconds since 1970; null if the output names no end. */
  readonly endsAt: number | null;
}

/**
 * @returns the password, or the problem as the end of a sentence about the command. The problem
 *   quotes nothing of the output.
 */
export function printedPassword(output: string): PrintedPassword | { readonly problem: string } {
  const text = withoutLineEnds(output.replace(/^\ufeff/, ''));
  const printed = /^\s*\{/.test(text) ? parsedJson(text) : undefined;
  if (!isObject(printed)) {
    // A plain password may begin with a brace alone.
    const isTorn = /^\s*\{\s*"/.test(text);
    const problem = isTorn ? 'printed JSON that is torn or has a mistake' : (problemOf(text) ?? blanksAround(text));
    return problem === null ? { password: text, endsAt: null } : { problem };
  }
  const { password, expiresAt = null } = printed;
  if (typeof password !== 'string') return { problem: 'printed JSON without a text named password' };
  const problem = problemOf(password);
  if (problem !== null) return { problem };
  const endsAt = expiresAt === null ? null : millisecondsOf(expiresAt);
  if (endsAt !== null && Number.isNaN(endsAt))
    return { problem: 'printed JSON whose expiresAt is no time such as "2026-01-31T12:00:00Z"' };
  return { password, endsAt };
}

/** What is no password must not be sent: three wrong ones may lock an account. */
function problemOf(password: string): string | null {
  if (password.trim() === '') return 'printed no password';
  // `jq -r` and others say so for what isn't there.
  if (password === 'null') return 'printed null, which stands for no password';
  if (/[\r\n]/.test(password)) return 'printed more than one line; print the password alone';
  // A program that writes for a terminal colours its output; UTF-16 has a mark and NULs.
  if (/[^\P{Cc}\t]|\ufeff/u.test(password))
    return 'printed control characters, as for colours in a terminal; print the password as plain text';
  return password.includes('\ufffd') ? 'printed something else than text in UTF-8' : null;
}

/** A shell's `$(…)` drops them too; any other blank may belong to the password. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

/** Sent with them or without, a plain password might be a wrong one. */
function blanksAround(text: string): string | null {
  if (text.trim() === text) return null;
  return 'printed blanks before or behind the password; print it as JSON if they belong to it';
}

/**
 * @param expiresAt ISO 8601 with a zone, or seconds since 1970, as cloud sign-ins print it.
 *   @returns NaN for anything else.
 */
function millisecondsOf(expiresAt: unknown): number {
  if (typeof expiresAt === 'number') return expiresAt * 1_000;
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(String(expiresAt));
  return isInstant ? Date.parse(String(expiresAt)) : Number.NaN;
}
