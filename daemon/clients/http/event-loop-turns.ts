/**
 * Spreads long work over the turns of the event loop. Messages that arrive together are else answered in one turn, however many
 * they are, and whoever sends a short one waits for all of them.
 */

/** @returns resolves for one caller in each turn of the event loop, in the order they called. */
export function eventLoopTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise(resolve => setImmediate(resolve)));
    return last;
  };
}
