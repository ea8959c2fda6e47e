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
  const printed = output.startsWith('{') ? parsedJson(output) : undefined;
  // A plain password may begin with a brace.
  if (!isObject(printed)) return { password: output.replace(/\r?\n$/, ''), endsAt: null };
  const { password, expiresAt = null } = printed;
  if (typeof password !== 'string') return { problem: 'printed JSON without a text named password' };
  const endsAt = expiresAt === null ? null : millisecondsOf(expiresAt);
  if (endsAt !== null && Number.isNaN(endsAt))
    return { problem: 'printed JSON whose expiresAt is no time such as "2026-01-31T12:00:00Z"' };
  return { password, endsAt };
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
