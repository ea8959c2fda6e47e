/** The port for keeping secrets (spec §1): the login keychain, or a file if there is none. */

import type { Connection } from './connection.ts';

/** A connection's secrets, each under its id. */
export const connectionSecretKinds = ['password', 'keyPassphrase', 'sshPassphrase', 'sshPassword'] as const;
export type ConnectionSecretKind = (typeof connectionSecretKinds)[number];
export const secretKinds = ['token', 'shell', 'activity', 'passphrase', ...connectionSecretKinds] as const;
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
  /**
   * @returns the secret that is stored now: `value`, or one that the keychain's helper generated.
   * @throws SecretStoreUnavailable
   */
  makeShellSecret(value: string): Promise<string>;
  /** Deleting an absent one is no error. @throws SecretStoreUnavailable */
  delete(kind: SecretKind, id: string): Promise<void>;
  /** Ids kept under a kind. @throws SecretStoreUnavailable */
  list(kind: SecretKind): Promise<readonly string[]>;
}

/**
 * Any secret of a connection but its password; null if none is kept.
 * @throws PasswordUnavailable
 */
export type SecretOf = (
  kind: Exclude<ConnectionSecretKind, 'password'>,
  connection: Connection,
) => Promise<string | null>;

/**
 * Where a new password or passphrase waits until its connection is saved with that revision; then
 * it replaces the old one. So both change at once, whenever a kill comes.
 */
export function awaitingId(connection: { readonly id: string; readonly revision: number }): string {
  return `${connection.id}@${connection.revision}`;
}

/** @returns null if no connection waits for it. */
export function awaitedBy(secretId: string): { readonly id: string; readonly revision: number } | null {
  const [, id, revision] = /^([^@]+)@(\d+)$/.exec(secretId) ?? [];
  return id === undefined ? null : { id, revision: Number(revision) };
}

/** Whether a saved connection uses a secret of that kind. */
export function hasSecret(
  kind: ConnectionSecretKind,
  { password, tls, tunnel }: Pick<Connection, 'password' | 'tls' | 'tunnel'>,
): boolean {
  switch (kind) {
    case 'password':
      return password.kind === 'stored';
    case 'keyPassphrase':
      return tls.clientCertificate !== undefined;
    case 'sshPassphrase':
      return tunnel?.kind === 'ssh' && tunnel.keyFile !== null;
    case 'sshPassword':
      return tunnel?.kind === 'ssh';
  }
}

export class SecretStoreUnavailable extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'SecretStoreUnavailable';
  }
}

/** There is no password to sign in with. Its message is for clients and the log. */
export class PasswordUnavailable extends Error {
  /** For the person: what their command wrote to stderr, or where the secrets are kept. */
  readonly toPerson: string;

  /** @param problem a clause without a full stop. */
  constructor(problem: string, toPerson: string) {
    super(problem);
    this.name = 'PasswordUnavailable';
    this.toPerson = toPerson;
  }
}
