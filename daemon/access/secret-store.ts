/** The port behind which secrets are kept (spec §1): the login keychain, or a file where there is none. */

export const secretKinds = ['token', 'password', 'shell', 'activity', 'passphrase', 'keyPassphrase'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** `unavailable` is not `absent`: a locked keychain must never look like an empty one. */
export type SecretRead =
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unavailable'; readonly problem: string };

export interface SecretStore {
  readonly backend: 'keychain' | 'file';
  read(kind: SecretKind, id: string): Promise<SecretRead>;
  /** @throws SecretStoreUnavailable; refuses empty values and NUL, which one backend would cut. */
  write(kind: SecretKind, id: string, value: string): Promise<void>;
  /** @returns the one that is there then: `value`, or what a program of the keychain's made up in its place. @throws SecretStoreUnavailable */
  makeShellSecret(value: string): Promise<string>;
  /** Deleting what is absent is no error. @throws SecretStoreUnavailable */
  delete(kind: SecretKind, id: string): Promise<void>;
  /** Ids kept under a kind. @throws SecretStoreUnavailable */
  list(kind: SecretKind): Promise<readonly string[]>;
}

export class SecretStoreUnavailable extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'SecretStoreUnavailable';
  }
}

/** There is no password to sign in with. Its message is for clients and the log. */
export class PasswordUnavailable extends Error {
  /** What the person is told instead: what their command wrote to stderr, or where the secrets are kept. */
  readonly toPerson: string;

  /** @param problem a clause without a full stop. */
  constructor(problem: string, toPerson: string) {
    super(problem);
    this.name = 'PasswordUnavailable';
    this.toPerson = toPerson;
  }
}
