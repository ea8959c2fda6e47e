/**
 * The only way to write to the store: one thread has the only writing connection. So no batch holds
 * up the daemon, and no two writers wait for each other. A thread that ended is started again;
 * calls made meanwhile fail, as on a full disk.
 */

import { type Ask, type StoreThread, StoreThreadEnded, startStoreThread } from './thread.ts';

export interface Ledger {
  /** @throws StoreThreadEnded, or SQLite's error with its code. */
  readonly ask: Ask;
  /** Large reads: each has its own thread, which ends with the answer. */
  readonly read: Ask;
  close(): Promise<void>;
}

/** A thread that keeps ending must not be started for each of a thousand calls. */
const againMilliseconds = 1_000;

export function openLedger(path: string): Ledger {
  let thread: StoreThread | null = null;
  let startedAt = 0;
  let isClosed = false;

  function living(): StoreThread {
    if (thread !== null && !thread.hasEnded()) return thread;
    if (isClosed) throw new StoreThreadEnded('the store is closed');
    const now = performance.now();
    // Refuses calls until it is time to start again.
    if (thread !== null && now - startedAt < againMilliseconds) return thread;
    startedAt = now;
    thread = startStoreThread({ path, mode: 'write' });
    return thread;
  }

  return {
    ask: async (name, ...given) => living().ask(name, ...given),
    async read(name, ...given) {
      const reader = startStoreThread({ path, mode: 'read' });
      try {
        return await reader.ask(name, ...given);
      } finally {
        await reader.close();
      }
    },
    async close() {
      isClosed = true;
      await thread?.close();
    },
  };
}
