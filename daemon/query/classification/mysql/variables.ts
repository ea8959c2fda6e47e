/** Server variables that hold a password or a key, and statements whose answer would show them where they are set. */

import type { QualifiedName } from '../classification.ts';
import type { CatalogItem } from './question.ts';
import { at, follows, has, type Token } from './tokens.ts';

/** Asked of the server as one item: whether one of them has a value. */
export const passwordVariableNames: readonly string[] = [
  'report_password',
  'hashicorp_key_management_token',
  'file_key_management_filekey',
  'wsrep_sst_auth',
];

export const passwordVariables: CatalogItem = { kind: 'variables', schema: '', name: '' };

const lists = /^(global_variables|session_variables|system_variables|variables_by_thread|persisted_variables)$/i;

export function showsVariables(tokens: readonly Token[], tables: readonly QualifiedName[]): boolean {
  if (tables.some(({ name }) => lists.test(name)) || tokens.some(({ text }) => isPasswordVariable(text))) return true;
  if (!follows(tokens, 0, 'SHOW') || !has(tokens, 'VARIABLES')) return false;
  // SHOW VARIABLES LIKE 'max_connections' shows that one.
  const pattern = at(tokens, tokens.findIndex(({ key }) => key === 'LIKE') + 1);
  return pattern.kind !== 'string' || /[%_]/.test(pattern.text.replaceAll(/[a-z]_[a-z]/gi, ''));
}

function isPasswordVariable(text: string): boolean {
  const folded = text.toLowerCase();
  return passwordVariableNames.some(name => folded.includes(name));
}
