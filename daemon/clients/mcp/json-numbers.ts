/**
 * Finds numbers in a JSON text that parsing would change (spec §8), as JavaScript holds each as a
 * double. A write with such a number would store another one and report success.
 */

import { exponentsFrom } from '../../../shared/json.ts';

const mayBeInexact = /[\d.]{18}|[eE][-+]?\d{3}/;
// Pattern excused: a text that is JSON ends each of its strings, so none is looked at twice.
const stringsAndNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * @param text valid JSON; its bytes as Latin-1 will do.
 * @returns the first such number, as written.
 */
export function inexactNumberIn(text: string): string | null {
  if (!mayBeInexact.test(text)) return null;
  for (const [token] of text.matchAll(stringsAndNumbers)) {
    if (!token.startsWith('"') && isInexact(token)) return token;
  }
  return null;
}

/** In fixed notation the smallest double has some 330 characters with all its 17 digits. */
const longestNumber = 400;

function isInexact(written: string): boolean {
  if (written.length > longestNumber) return true;
  const digits = significantDigits(written);
  if (digits === '') return false;
  const value = Number(written);
  if (value === 0 || !Number.isFinite(value)) return true;
  // Programs write a double with up to 17 digits, and an integer with all it has.
  if (!/^-?\d+$/.test(written)) return digits.length > 17;
  // A smaller number may have been rounded by the client: the arguments' check handles that.
  return Math.abs(value) >= exponentsFrom && digits !== significantDigits(String(value));
}

function significantDigits(written: string): string {
  const digits = (written.split(/e/i)[0] ?? '').replace(/[-.]/g, '');
  // Pattern excused: at most 400 characters.
  return digits.replace(/^0+/, '').replace(/0+$/, '');
}
