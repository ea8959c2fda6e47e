/** Finds a connection's password when it dials: in the secret store, or printed by the user's command (spec §6). Never logged. */

import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';
import { passwordCommands } from './password-command.ts';

export interface Passwords {
  /** @throws SecretStoreUnavailable, or PasswordCommandFailed; the message of neither says anything that the command printed. */
  of(connection: Connection): Promise<string | null>;
  close(): void;
}

export function passwordsIn(secrets: SecretStore): Passwords {
  const commands = passwordCommands();
  return {
    async of({ id, password }) {
      switch (password.kind) {
        case 'none':
          return null;
        case 'command':
          return commands.run(password.command);
        case 'stored': {
          const read = await secrets.read('password', id);
          if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
          return read.kind === 'found' ? read.value : null;
        }
      }
    },
    close: commands.close,
  };
}

/**
 * A kill between a connection and its password, at its save or its removal, leaves a password that belongs to nobody. For the start,
 * before anything can be saved. @throws SecretStoreUnavailable
 */
export async function deleteOrphanedPasswords(
  secrets: SecretStore,
  connections: Pick<ConnectionRegister, 'list' | 'damaged'>,
): Promise<void> {
  const withPassword = connections.list().filter(({ password }) => password.kind === 'stored');
  // Whether a connection whose record can't be read has one, nobody knows: a backup may bring it back.
  const owners = new Set([...withPassword, ...connections.damaged()].map(({ id }) => id));
  for (const id of await secrets.list('password')) if (!owners.has(id)) await secrets.delete('password', id);
}
