/** Takes a port on this machine, or another one when it is taken. */

import type { Server } from 'node:http';
import { isNativeError } from 'node:util/types';
import { httpLimits } from './limits.ts';

/**
 * @param port 0 for any free one.
 * @returns whether the port was taken.
 * @throws Error with code EADDRINUSE where it is and `fallback` is false.
 */
export async function bind(server: Server, port: number, fallback: boolean): Promise<boolean> {
  const listening = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: httpLimits.address, port: at, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  try {
    await listening(port);
    return false;
  } catch (error) {
    const taken = isNativeError(error) && 'code' in error && error.code === 'EADDRINUSE';
    if (!taken || !fallback) throw error;
    await listening(0);
    return true;
  }
}
