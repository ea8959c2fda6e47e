/**
 * Finds where a statement begins, and texts without one. The server answers a lone comment with
 * success and ignores everything after a NUL, so both are refused before anything is sent.
 */

import type { DatabaseFailure } from '../../engine.ts';

/** White space, separators and comments; not `/*!` and `/*M!`, which are code. */
const lead = /^(?:[\s;]|--(?:[^\S\n][^\n]*)?(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!|M!)(?:[^*]|\*(?!\/))*\*\/)*/;

/** @returns the text from where the server begins to read. */
export function withoutLead(sql: string): string {
  return sql.replace(lead, '');
}

export function refuseEmpty(sql: string): DatabaseFailure | null {
  if (sql.includes('\0'))
    return { kind: 'query_failed', message: 'The statement has a NUL character in it.', code: null };
  return withoutLead(sql) === '' ? { kind: 'query_failed', message: 'The statement is empty.', code: null } : null;
}
