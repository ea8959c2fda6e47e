/**
 * What the account of a connection may do, if neither the guard nor a read-only session held it.
 * Only types and the words' keys; each engine asks its own catalog in `rights.ts`.
 */

import type { AttackKind, RightCode } from '../../shared/proof-codes.ts';

export interface Right {
  readonly code: RightCode;
  /** What it is about, as SQL writes it: at most five. */
  readonly on: readonly string[];
  /** How many more there are. */
  readonly more: number;
  /** The statement that ends it; null if none does, as an owner can give it back to itself. */
  readonly revoke: string | null;
  readonly opens: readonly AttackKind[];
}

const mostNamed = 5;

/** @returns null if there is nothing that it is about. */
export function rightOn(
  code: RightCode,
  names: readonly string[],
  opens: readonly AttackKind[],
  revoke: string | null,
): Right | null {
  if (names.length === 0) return null;
  return { code, on: names.slice(0, mostNamed), more: Math.max(0, names.length - mostNamed), revoke, opens };
}

/** Ways to change rows and what holds them. */
export const writes: readonly AttackKind[] = [
  'several_statements',
  'sql_in_string',
  'stored_code',
  'session_settings',
  'all_rows',
  'other_writes',
];

export function isRight(right: Right | null): right is Right {
  return right !== null;
}
