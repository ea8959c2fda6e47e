/**
 * Server variables that hold a password or a key, and statements that would show them if they are
 * set.
 */

import type { QualifiedName } from '../types.ts';
import type { CatalogItem } from './question.ts';
import { hasKeywords, keywordsAt, type Token, tokenAt } from './tokens.ts';

/** Asked of the server as one item: whether one of them has a value. */
export const passwordVariableNames: readonly string[] = [
  'report_password',
  'hashicorp_key_management_token',
  'file_key_management_filekey',
];

export const passwordVariables: CatalogItem = { kind: 'variables', schema: '', name: '' };

const lists = /^(global_variables|session_variables|system_variables|variables_by_thread|persisted_variables)$/i;

export function showsVariables(tokens: readonly Token[], tables: readonly QualifiedName[]): boolean {
  if (tables.some(({ name }) => lists.test(name)) || tokens.some(({ text }) => isPasswordVariable(text))) return true;
  if (!keywordsAt(tokens, 0, 'SHOW') || !hasKeywords(tokens, 'VARIABLES')) return false;
  const pattern = tokenAt(tokens, tokens.findIndex(({ key }) => key === 'LIKE') + 1);
  return pattern.kind !== 'string' || passwordVariableNames.some(name => isLike(name, pattern.text.toLowerCase()));
}

/**
 * Matches `name LIKE pattern`. A backslash counts as any character, which only makes more names
 * match.
 */
function isLike(name: string, pattern: string): boolean {
  let ends = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    for (const end of ends) {
      if (sign === '%') for (let more = end; more <= name.length; more++) next.add(more);
      else if (sign === '\\') next.add(end);
      else if (sign === '_' || sign === name.charAt(end)) next.add(end + 1);
    }
    ends = next;
  }
  return ends.has(name.length);
}

function isPasswordVariable(text: string): boolean {
  const folded = text.toLowerCase();
  return passwordVariableNames.some(name => folded.includes(name));
}
