/**
 * A TCP line to a server that counts how often its client waits for an answer, and can delay each
 * such round trip.
 */

import { connect, createServer, type Socket } from 'node:net';

export interface SlowLine {
  readonly port: number;
  /**
   * How often something was sent after an answer, or first, since the last look; on all
   * connections.
   */
  roundTrips(): number;
  /** Adds so many milliseconds to each round trip from now on. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

export async function openSlowLine(to: number): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let count = 0;
  let oneWay = 0;
  /** Bytes arrive in order, since timers of equal length end in the order of their start. */
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
