/** `connections.delete`: out of reach first, then its sessions, then its password. */

import { diskFault } from '../../disk-fault.ts';
import { command, done, refused } from '../command.ts';
import { unknownConnection } from './connection-view.ts';
import { namedConnection } from './shapes.ts';

export const deleteConnection = command<'connections.delete'>(
  namedConnection,
  ({ connection: asked }, { ports, changes }) =>
    changes(async () => {
      const connection =
        ports.connections.find(asked) ??
        ports.connections.damaged().find(({ id, name }) => id === asked || name === asked);
      if (connection === undefined) return refused(unknownConnection(asked));
      const { id, name } = connection;
      await ports.connections.delete(id);
      await ports.databases.forget(id);
      try {
        await ports.secrets.delete('password', id);
      } catch (error) {
        return refused(passwordLeft(name, diskFault(error, ports.status().home)));
      }
      return done({ id, name });
    }),
);

function passwordLeft(name: string, fault: string | null): string {
  const sentence = `The connection ${JSON.stringify(name)} is removed, but its password could not be: the next start of Sallyport removes it, once the secrets can be written.`;
  return fault === null ? sentence : `${sentence} ${fault}.`;
}
