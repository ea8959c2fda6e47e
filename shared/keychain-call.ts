/**
 * How a process of ours asks the login keychain through `daemon/storage/secrets/keychain-worker`
 * (spec §1): one message each way per call, under which name and account things are filed, and what
 * of the environment a keychain is found by. Asks nothing itself.
 */

export type KeychainCall =
  | { readonly call: 'get'; readonly account: string }
  | { readonly call: 'set'; readonly account: string; readonly value: string }
  | { readonly call: 'delete'; readonly account: string };

export type KeychainAnswer =
  /** `value` is null after `set` and `delete`, and where `get` found nothing that it may see. */
  | { readonly kind: 'done'; readonly value: string | null }
  /**
   * A Secret Service that wanted its password and didn't get it. Not every one that is locked says
   * so.
   */
  | { readonly kind: 'locked' }
  /** The module or the keychain said no; `problem` is its own words on one line. */
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'no_module'; readonly problem: string };

/** Under this name every item is filed (spec §1). */
export const keychainName = 'Sallyport';

/**
 * What is made for a keychain says so itself: one that was moved there from a file could have been
 * read before.
 */
export const keychainMark = 'keychain.';

/** Where a store keeps the secret that its shells prove themselves by. */
export function shellSecretAccount(storeId: string): string {
  return `${storeId}/shell/secret`;
}

const foundBy = ['HOME', 'USER', 'LOGNAME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const;

export type KeychainEnvironment = { readonly [Name in (typeof foundBy)[number]]?: string | undefined };

/**
 * Of our own environment what a keychain is found by. SECRET_BACKEND is not: it would swap the
 * keychain for a file.
 */
export function keychainEnvironment(environment: KeychainEnvironment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of foundBy) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
