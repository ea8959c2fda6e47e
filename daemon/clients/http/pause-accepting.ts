/**
 * Stops accepting connections while no file descriptor is left, and resumes on the same port.
 * Otherwise the system would keep reporting the waiting connection. Idle connections are closed,
 * which frees their descriptors.
 */

import type { Server } from 'node:http';
import type { Log } from '../mcp/log.ts';
import { factsOfError } from '../mcp/log.ts';
import { bind } from './bind.ts';

/** @returns a function to call now and then. */
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
