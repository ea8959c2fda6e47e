/**
 * Reads from the tokens of a MySQL or MariaDB statement which accounts, and which tables of a
 * GRANT, it names. Asks no catalog.
 */

import type { QualifiedName } from '../types.ts';
import { nameAt } from './tables.ts';
import { indexAtTop, isName, type Token, tokenAt } from './tokens.ts';

export interface Account {
  readonly user: string;
  readonly host: string;
}

const anywhere = '%';

/** @returns the accounts or roles of a list: `a@'%', 'b'`. */
export function accountsAt(tokens: readonly Token[], from: number): readonly Account[] {
  const accounts: Account[] = [];
  for (let index = from; ; index++) {
    const user = tokenAt(tokens, index);
    if (!isName(user) && user.kind !== 'string') return accounts;
    const host = tokenAt(tokens, index + 1);
    const hasHost = host.kind === 'variable';
    accounts.push({ user: user.text, host: hasHost ? host.text.replace(/^(['"`])(.*)\1$/s, '$2') : anywhere });
    index += hasHost ? 2 : 1;
    if (tokenAt(tokens, index).key !== ',') return accounts;
  }
}

/** What a GRANT or REVOKE is about; `every` for `*.*`, null for roles and routines. */
export function grantedOn(
  tokens: readonly Token[],
): { readonly table: QualifiedName } | { readonly database: string | null } | 'every' | null {
  const on = indexAtTop(tokens, 0, new Set(['ON']));
  const at = tokenAt(tokens, on + 1).key === 'TABLE' ? on + 2 : on + 1;
  if (tokenAt(tokens, at).key === '*') return tokenAt(tokens, at + 1).key === '.' ? 'every' : { database: null };
  if (/^(FUNCTION|PROCEDURE|PACKAGE)$/.test(tokenAt(tokens, at).key)) return null;
  if (tokenAt(tokens, at + 1).key === '.' && tokenAt(tokens, at + 2).key === '*')
    return { database: tokenAt(tokens, at).text };
  const named = nameAt(tokens, at);
  return named === null ? null : { table: named.name };
}
