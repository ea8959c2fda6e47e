/** `connections.list` and `connections.show`. */

import { z } from 'zod';
import type { ConnectionView } from '../../../shared/control-commands.ts';
import { command, done, refused } from '../command.ts';
import { connectionView, unknownConnection } from './connection-view.ts';
import { namedConnection } from './shapes.ts';

/** A line of the control socket holds 1 MiB, and a thousand connections are more than that. */
const pageBytes = 512 * 1024;

export const listConnections = command<'connections.list'>(
  z.strictObject({ from: z.number().int().min(0).optional() }),
  ({ from = 0 }, { ports }) => {
    const all = ports.connections.list();
    const connections: ConnectionView[] = [];
    let bytes = 0;
    for (const connection of all.slice(from)) {
      const view = connectionView(connection, ports.now());
      bytes += Buffer.byteLength(JSON.stringify(view));
      if (bytes > pageBytes && connections.length > 0) break;
      connections.push(view);
    }
    const next = from + connections.length;
    return done({ connections, next: next < all.length ? next : null });
  },
);

export const showConnection = command<'connections.show'>(namedConnection, ({ connection: asked }, { ports }) => {
  const connection = ports.connections.find(asked);
  return connection === null ? refused(unknownConnection(asked)) : done(connectionView(connection, ports.now()));
});
