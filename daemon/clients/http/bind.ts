/** Takes a port on this machine, or another one if it is taken. */

import type { Server } from 'node:http';
import { isNativeError } from 'node:util/types';
import { httpLimits } from './http-limits.ts';

/**
 * @param port 0 for any free one.
 * @param others tried in turn if it is taken.
 * @returns whether the port was taken.
 * @throws Error with code EADDRINUSE if all are taken.
 */
export async function bind(server: Server, port: number, others: readonly number[]): Promise<boolean> {
  const listening = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: httpLimits.address, port: at, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  let left = others;
  for (let at = port; ; ) {
    try {
      await listening(at);
      return at !== port;
    } catch (error) {
      const [next, ...rest] = left;
      const taken = isNativeError(error) && 'code' in error && error.code === 'EADDRINUSE';
      if (!taken || next === undefined) throw error;
      at = next;
      left = rest;
    }
  }
}
