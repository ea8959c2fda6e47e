/** A TCP line to a server that passes so many connections at once, as a proxy does, and no more. */

import { connect, createServer, type Socket } from 'node:net';

export interface FullLine {
  readonly port: number;
  close(): Promise<void>;
}

/** @param further what becomes of a further one: it is closed, or waits silently for a place. */
export async function openFullLine(to: number, most: number, further: 'closed' | 'waits'): Promise<FullLine> {
  const sockets = new Set<Socket>();
  const waiting: Socket[] = [];
  let open = 0;
  const pass = (near: Socket): void => {
    open += 1;
    const far = connect(to, '127.0.0.1');
    far.on('error', () => {});
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => {
      open -= 1;
      near.destroy();
      const next = waiting.shift();
      if (next !== undefined) pass(next);
    });
    if (near.destroyed) far.destroy();
  };
  const server = createServer(near => {
    sockets.add(near);
    near.on('error', () => {});
    near.once('close', () => sockets.delete(near));
    if (open < most) pass(near);
    else if (further === 'closed') near.destroy();
    else waiting.push(near);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      waiting.length = 0;
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
