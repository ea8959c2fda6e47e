/**
 * Finds a connection's password and the passphrase of its client key when it dials: in the secret
 * store, or printed by the user's command (spec §6). Never logged.
 */

import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import {
  awaitedBy,
  awaitingId,
  type ConnectionSecretKind,
  connectionSecretKinds,
  hasSecret,
  PasswordUnavailable,
  type SecretKind,
  type SecretOf,
  type SecretStore,
  SecretStoreUnavailable,
} from '../../access/secret-store.ts';
import { passwordCommands } from './password-command.ts';

export interface Passwords {
  /** @throws PasswordUnavailable; its message holds no output of a command. */
  of(connection: Connection): Promise<string | null>;
  /**
   * @returns a newer password than the refused one; null if there is none. Only a command has one.
   * @throws PasswordUnavailable
   */
  another(connection: Connection, refused: string): Promise<string | null>;
  readonly secretOf: SecretOf;
  close(): void;
}

export function passwordsIn(secrets: SecretStore): Passwords {
  const commands = passwordCommands();
  const read = async (kind: SecretKind, id: string): Promise<string | null> => {
    const found = await secrets.read(kind, id).catch((error: unknown) => {
      if (!(error instanceof SecretStoreUnavailable)) throw error;
      return { kind: 'unavailable', problem: error.message } as const;
    });
    if (found.kind === 'unavailable') throw new PasswordUnavailable("its password can't be read now", found.problem);
    return found.kind === 'found' ? found.value : null;
  };
  const stored = async (kind: SecretKind, connection: Connection): Promise<string | null> =>
    (await read(kind, awaitingId(connection))) ?? read(kind, connection.id);
  return {
    async of(connection) {
      const { password } = connection;
      switch (password.kind) {
        case 'none':
          return null;
        case 'command':
          return commands.run(password.command);
        case 'stored':
          return stored('password', connection);
      }
    },
    async another({ password }, refused) {
      return password.kind === 'command' ? commands.another(password.command, refused) : null;
    },
    secretOf: stored,
    close: commands.close,
  };
}

/**
 * Cleans up after a kill between saving (or deleting) a connection and its secrets: deletes secrets
 * without a connection, and completes those that were saved but not in place. Call it at the start,
 * before anything can be saved. @throws SecretStoreUnavailable
 */
export async function settlePasswords(
  secrets: SecretStore,
  connections: Pick<ConnectionRegister, 'list' | 'damaged' | 'removed'>,
): Promise<void> {
  const all = connections.list();
  for (const kind of connectionSecretKinds) {
    const ownersOfKind = all.filter(each => hasSecret(kind, each));
    // A damaged record may come back from a backup, and a removed connection may be restored: their
    // secrets stay.
    const owners = new Set([...ownersOfKind, ...connections.damaged(), ...connections.removed()].map(({ id }) => id));
    const saved = [...ownersOfKind, ...connections.removed().flatMap(({ connection }) => connection ?? [])];
    for (const id of await secrets.list(kind)) {
      const awaited = awaitedBy(id);
      const isSaved = saved.some(each => each.id === awaited?.id && each.revision === awaited.revision);
      if (awaited !== null && isSaved) await putInPlace(secrets, kind, awaited);
      else if (!owners.has(id)) await secrets.delete(kind, id);
    }
  }
}

async function putInPlace(
  secrets: SecretStore,
  kind: ConnectionSecretKind,
  connection: { readonly id: string; readonly revision: number },
): Promise<void> {
  const read = await secrets.read(kind, awaitingId(connection));
  if (read.kind !== 'found') return;
  await secrets.write(kind, connection.id, read.value);
  await secrets.delete(kind, awaitingId(connection));
}
