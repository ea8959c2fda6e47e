/**
 * The one way to write to the store: a thread that has its only writing connection, so that no
 * batch holds up the daemon and no two writers wait for each other. One that ended is started
 * again, and what it was asked meanwhile fails as on a disk that takes nothing.
 */

import { type Ask, type StoreThread, StoreThreadEnded, startStoreThread } from './thread.ts';

export interface Ledger {
  /** @throws StoreThreadEnded, and what SQLite throws, by its code. */
  readonly ask: Ask;
  /** For what only reads, and much: by a thread of its own, which ends with its answer. */
  readonly read: Ask;
  close(): Promise<void>;
}

/** One that ends at once must not be started for each of a thousand requests. */
const againMilliseconds = 1_000;

export function openLedger(path: string): Ledger {
  let thread: StoreThread | null = null;
  let startedAt = 0;
  let isClosed = false;

  function living(): StoreThread {
    if (thread !== null && !thread.hasEnded()) return thread;
    if (isClosed) throw new StoreThreadEnded('the store is closed');
    const now = performance.now();
    // Refuses what it is asked, until it is time.
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
