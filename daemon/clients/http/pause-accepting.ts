/**
 * Stops to accept connections while no file descriptor is left, and begins again on the same port.
 * Without it the system reports the connection that can't be taken as new without end. The idle
 * connections end with it, which gives their descriptors back.
 */

import type { Server } from 'node:http';
import type { Log } from '../mcp/log.ts';
import { factsOfError } from '../mcp/log.ts';
import { bind } from './bind.ts';

/** @returns to be called now and then. */
export function pauseAccepting(server: Server, port: number, isStopped: () => boolean, log: Log): () => void {
  let isPaused = false;
  let isReturning = false;

  async function comeBack(): Promise<void> {
    isReturning = true;
    try {
      await bind(server, port, []);
      isPaused = false;
    } catch (error) {
      log.error(factsOfError(error), 'the port cannot be listened on again yet');
    }
    isReturning = false;
  }

  return () => {
    if (!isPaused && isStopped()) {
      isPaused = true;
      server.close();
    } else if (isPaused && !isReturning && !isStopped()) void comeBack();
  };
}
