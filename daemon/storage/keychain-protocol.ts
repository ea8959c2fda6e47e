/** What the daemon and its keychain process say to each other, one message each way per call. */

export type KeychainCall =
  | { readonly call: 'get'; readonly account: string }
  | { readonly call: 'set'; readonly account: string; readonly value: string }
  | { readonly call: 'delete'; readonly account: string };

export type KeychainAnswer =
  /** `value` is null after `set` and `delete`, and where `get` found nothing that it may see. */
  | { readonly kind: 'done'; readonly value: string | null }
  /** The module or the keychain said no; `problem` is its own words on one line. */
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'no_module'; readonly problem: string };

/** Under this name every item is filed (SPEC §1). */
export const keychainName = 'Sallyport';
