/**
 * How our processes ask the login keychain through `daemon/storage/secrets/keychain-worker` (spec
 * §1): one message each way per call, the names that items have, and the environment that a
 * keychain needs. Asks nothing itself.
 */

export type KeychainCall =
  | { readonly call: 'get'; readonly account: string }
  | { readonly call: 'set'; readonly account: string; readonly value: string }
  | { readonly call: 'delete'; readonly account: string };

export type KeychainAnswer =
  /** `value` is null after `set` and `delete`, and if `get` found nothing that it may see. */
  | { readonly kind: 'done'; readonly value: string | null }
  /**
   * The Secret Service asked for its password and didn't get it. Some locked ones don't report it.
   */
  | { readonly kind: 'locked' }
  /** The module or the keychain refused; `problem` is its own words, on one line. */
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'no_module'; readonly problem: string };

/** Every item has this service name (spec §1). */
export const keychainName = 'Sallyport';

/**
 * Marks secrets made for a keychain. A secret moved there from a file could have been read before.
 */
export const keychainMark = 'keychain.';

/** The account of the secret by which a store's shells prove themselves. */
export function shellSecretAccount(storeId: string): string {
  return `${storeId}/shell/secret`;
}

const foundBy = ['HOME', 'USER', 'LOGNAME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const;

export type KeychainEnvironment = { readonly [Name in (typeof foundBy)[number]]?: string | undefined };

/**
 * The variables that are needed to find a keychain. Not SECRET_BACKEND: it would replace the
 * keychain by a file.
 */
export function keychainEnvironment(environment: KeychainEnvironment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of foundBy) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
