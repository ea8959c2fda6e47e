/**
 * Counts repeated refusals, so a lockout is one row with a count every few seconds (spec §10, §13).
 * Counts stay in memory until their time is over.
 */

import type { ActivityEntry } from '../../activity.ts';

interface Tally {
  readonly entry: ActivityEntry;
  readonly openedAt: number;
  readonly until: number;
  count: number;
}

export function keepTallies(most: number, record: (entry: ActivityEntry) => void) {
  const open = new Map<string, Tally>();

  function write(key: string): void {
    const tally = open.get(key);
    open.delete(key);
    if (tally !== undefined) record({ ...tally.entry, count: tally.count });
  }

  return {
    /** @param now, until wall clock, milliseconds since 1970. */
    add(key: string, now: number, until: number, entry: ActivityEntry): void {
      const known = open.get(key);
      if (known !== undefined) known.count += entry.count ?? 1;
      else {
        const [oldest] = open.keys();
        if (open.size >= most && oldest !== undefined) write(oldest);
        open.set(key, { entry, openedAt: now, until, count: entry.count ?? 1 });
      }
    },
    /** Writes the counts whose time is over. */
    writeDue(now: number): void {
      // A time before its opening: the clock was set back, and waiting could take years.
      for (const [key, { openedAt, until }] of [...open]) if (now >= until || now < openedAt) write(key);
    },
    writeAll(): void {
      for (const key of [...open.keys()]) write(key);
    },
    isEmpty: () => open.size === 0,
  };
}
