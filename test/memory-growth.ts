/** How much larger this process becomes while something runs. */

import { setTimeout as delay } from 'node:timers/promises';
import { collectGarbage } from '../daemon/processes/idle-garbage.ts';

const betweenLooks = 20;

/**
 * The most bytes of memory that this process gained while `work` ran. It collects the garbage
 * before each look: V8 leaves up to 64 MB of read chunks lying, whatever our code does, so without
 * that a bound of 64 MB tells the collector's mood and no fault.
 */
export async function growthWhile(work: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage.rss();
  let highest = before;
  let isOver = false;
  const look = (): void => {
    collectGarbage();
    highest = Math.max(highest, process.memoryUsage.rss());
  };
  const looking = (async () => {
    while (!isOver) {
      look();
      await delay(betweenLooks);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await looking;
  }
  look();
  return highest - before;
}
