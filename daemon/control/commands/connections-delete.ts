/** `connections.delete`: out of reach first, then its sessions, then its password. */

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
      await ports.secrets.delete('password', id);
      return done({ id, name });
    }),
);
