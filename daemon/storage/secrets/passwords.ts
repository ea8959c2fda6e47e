/**
 * Finds a connection's password when it dials, in the secret store or printed by the user's
 * command, and the passphrase of its client key (spec §6). Never logged.
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
  /** @throws PasswordUnavailable, whose message says nothing that a command printed. */
  of(connection: Connection): Promise<string | null>;
  /**
   * A newer one than the server refused, null where there is none: of a command's alone.
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
 * A kill between a connection and its secrets, at its save or its end, leaves a secret that belongs
 * to nobody, or one that its connection was saved with and which isn't in its place yet. For the
 * start, before anything can be saved. @throws SecretStoreUnavailable
 */
export async function settlePasswords(
  secrets: SecretStore,
  connections: Pick<ConnectionRegister, 'list' | 'damaged' | 'removed'>,
): Promise<void> {
  const all = connections.list();
  for (const kind of connectionSecretKinds) {
    const ownersOfKind = all.filter(each => hasSecret(kind, each));
    // Whether a connection whose record can't be read has one, nobody knows: a backup may bring it
    // back. One that was removed may be restored, and its secrets go with its record.
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
