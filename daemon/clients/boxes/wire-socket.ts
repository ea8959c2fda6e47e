/** A box's socket for programs that speak PostgreSQL's protocol; what they say isn't read here. */

import { createServer, type Socket } from 'node:net';
import { type BoxCredential, bindSocket } from './bound-socket.ts';
import type { BoxSocketPorts } from './box-socket.ts';

/** @returns the door, or a clause on why there is none and what to do. */
export async function openWireSocket(
  socket: string,
  group: string | null,
  ports: Pick<BoxSocketPorts, 'folders' | 'report'>,
  serve: (connection: Socket) => void,
): Promise<BoxCredential | string> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, connection => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    serve(connection);
  });
  return bindSocket(server, socket, group, ports, open);
}
