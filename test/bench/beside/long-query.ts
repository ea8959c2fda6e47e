/** A query that lasts, and what becomes of it, as its server says. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Shop } from './shop.ts';

export function sleep({ place }: Shop): string {
  return place.engine === 'postgres' ? 'select pg_sleep(25)' : 'select sleep(25)';
}

export async function begins(shop: Shop): Promise<void> {
  for (let tries = 0; (await shop.running('sleep(25)')) === 0; tries++) {
    if (tries > 200) throw new Error('The query never began.');
    await pause(50);
  }
}

/** @returns what became of it within ten seconds; then it is waited for, so the next row begins alone. */
export async function ends(shop: Shop): Promise<string> {
  const began = performance.now();
  let isLate = false;
  while ((await shop.running('sleep(25)')) > 0) {
    isLate ||= performance.now() - began > 10_000;
    await pause(100);
  }
  return isLate ? 'goes on' : 'ends';
}
