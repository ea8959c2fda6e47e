/** Ports for servers that tests start. */

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below Sallyport's own, and below those that systems give to connections, which could take the
 * port between the check and the server's start.
 */
const lowest = 10_000;
const highest = 27_000;

/** A port on 127.0.0.1 where nobody listens now. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, highest);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise(resolve => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
