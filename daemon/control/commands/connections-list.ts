/** `connections.list` and `connections.show`. */

import { z } from 'zod';
import { command, done, refused } from '../command.ts';
import { connectionView, unknownConnection } from './connection-view.ts';
import { namedConnection } from './shapes.ts';

export const listConnections = command<'connections.list'>(z.strictObject({}), (_, { ports }) =>
  done({ connections: ports.connections.list().map(connection => connectionView(connection, ports.now())) }),
);

export const showConnection = command<'connections.show'>(namedConnection, ({ connection: asked }, { ports }) => {
  const connection = ports.connections.find(asked);
  return connection === null ? refused(unknownConnection(asked)) : done(connectionView(connection, ports.now()));
});
