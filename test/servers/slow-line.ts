/**
 * A TCP line to a server that counts how often its client waited for an answer, and can make each
 * such round trip take long.
 */

import { connect, createServer, type Socket } from 'node:net';

export interface SlowLine {
  readonly port: number;
  /**
   * Times that something was sent after an answer, or at first, since the last look; on all
   * connections.
   */
  roundTrips(): number;
  /** How much a round trip takes longer from now on, in milliseconds. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

export async function openSlowLine(to: number): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let count = 0;
  let oneWay = 0;
  /**
   * What was sent first arrives first, since timers of one length end in the order of their start.
   */
  const pass = (bytes: Buffer, into: Socket): void => {
    if (oneWay === 0) into.write(bytes);
    else setTimeout(() => into.write(bytes), oneWay);
  };
  const server = createServer(near => {
    const far = connect(to, '127.0.0.1');
    let isAsked = false;
    near.on('data', bytes => {
      if (!isAsked) count += 1;
      isAsked = true;
      pass(bytes, far);
    });
    far.on('data', bytes => {
      isAsked = false;
      pass(bytes, near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    roundTrips() {
      const counted = count;
      count = 0;
      return counted;
    },
    delay(milliseconds) {
      oneWay = milliseconds / 2;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
