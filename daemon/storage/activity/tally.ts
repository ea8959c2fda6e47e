/**
 * Counts refusals that repeat, so that a lockout is a row with a count every few seconds (spec §10,
 * §13). In memory until its time is over.
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
    /** Both times by the wall clock, milliseconds since 1970. */
    add(key: string, now: number, until: number, entry: ActivityEntry): void {
      const known = open.get(key);
      if (known !== undefined) known.count += entry.count ?? 1;
      else {
        const [oldest] = open.keys();
        if (open.size >= most && oldest !== undefined) write(oldest);
        open.set(key, { entry, openedAt: now, until, count: entry.count ?? 1 });
      }
    },
    /** Writes out those whose time is over. */
    writeDue(now: number): void {
      // Before it was opened: the clock was set back, and its time may be over only in years.
      for (const [key, { openedAt, until }] of [...open]) if (now >= until || now < openedAt) write(key);
    },
    writeAll(): void {
      for (const key of [...open.keys()]) write(key);
    },
    isEmpty: () => open.size === 0,
  };
}
