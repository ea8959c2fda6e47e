/**
 * The clock that decides which rows are old (spec §14). Deletion is final, so a wall clock that has
 * jumped is followed slowly: two days of rows go for each day that the daemon ran, at most. Kept in
 * the store, so a jump between two runs counts too.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { keepValue, keptValue } from './kept-values.ts';
import type { Store } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const clockLimits = {
  /**
   * How fast the wall clock is followed. A month away is caught up with in a month; today's rows,
   * kept for ninety days, outlive a clock that is wrong for six weeks.
   */
  daysPerDay: 2,
  /** `status` tells of a wall clock that is further away: nobody is away for longer unnoticed. */
  toldMilliseconds: 7 * day,
  /**
   * Also the most that counts between two looks: if the machine slept, the steady clock jumps, and
   * the gap counts as one look.
   */
  everyMilliseconds: hour / 2,
} as const;

const shape = z.object({
  /** Follows the wall clock. All times here are milliseconds since 1970. */
  believed: z.number(),
  /** The wall clock at the last look. */
  seen: z.number(),
  /** How long the daemon has run in all, whatever the wall clock said. */
  ran: z.number(),
});
export type ClockSight = z.infer<typeof shape>;

/**
 * @param elapsed milliseconds that the daemon has run since the last look, by a clock that never
 *   goes back.
 */
export function nextSight({ believed, seen, ran }: ClockSight, wall: number, elapsed: number): ClockSight {
  const passed = Math.min(elapsed, clockLimits.everyMilliseconds);
  // A night, or however long the machine was off or its clock jumped, counts as one day.
  const counted = Math.min(Math.abs(wall - seen), passed + day);
  const most = clockLimits.daysPerDay * counted;
  const away = wall - believed;
  return { believed: believed + Math.max(-most, Math.min(away, most)), seen: wall, ran: ran + passed };
}

type Tables = Pick<Store, 'knex' | 'write'>;

interface BelievedClockPorts {
  readonly store: Tables;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Steady, milliseconds. */
  readonly elapsed: () => number;
  /** Called once, when the wall clock is far from what is believed. */
  readonly jumped: (sentence: string) => void;
  readonly report: (error: unknown) => void;
}

/** Open it before this run records anything: the newest row tells the time of the last run. */
export async function openBelievedClock(ports: BelievedClockPorts) {
  const { store, now, elapsed, jumped, report } = ports;
  let sight = (await load(store)) ?? first(now());
  let lookedAt = elapsed();
  let told: string | null = null;

  function lookNow(): ClockSight {
    const at = elapsed();
    const before = sight;
    sight = nextSight(before, now(), at - lookedAt);
    lookedAt = at;
    const isFar = Math.abs(sight.seen - sight.believed) > clockLimits.toldMilliseconds;
    const sentence = isFar ? sentenceOf(sight) : null;
    if (sentence !== null && told === null) jumped(sentence);
    told = sentence;
    return sight;
  }

  const keep = (): Promise<void> => keepValue(store, 'store', key, JSON.stringify(lookNow())).catch(report);
  await keep();
  const timer = setInterval(() => void keep(), clockLimits.everyMilliseconds).unref();

  return {
    /** Milliseconds since 1970; never later than the wall clock or the believed time. */
    now(): number {
      const { believed, seen } = lookNow();
      return Math.min(believed, seen);
    },
    /**
     * Milliseconds that the daemon has run in all, kept over restarts; a kill loses up to half an
     * hour.
     */
    ran: (): number => lookNow().ran,
    /** For `status`: a sentence while the wall clock is far away. */
    notes: (): readonly string[] => (told === null ? [] : [told]),
    close(): Promise<void> {
      clearInterval(timer);
      return keep();
    },
  };
}

function sentenceOf({ believed, seen }: ClockSight): string {
  const days = Math.round(Math.abs(seen - believed) / day);
  if (seen < believed)
    return `The system's clock is ${days} days behind the last time that Sallyport knows of; set it right.`;
  return `The system's clock is ${days} days ahead of the last time that Sallyport knows of. Set it right if it is wrong. If Sallyport didn't run meanwhile, all is well: it catches up, and removes two days of the activity log and the history a day for their age.`;
}

/** A key in the table `store`. */
const key = 'clock';

/** @returns null if there is none that can be read. */
async function load(store: Tables): Promise<ClockSight | null> {
  return shape.safeParse(parsedJson((await keptValue(store, 'store', key)) ?? '')).data ?? null;
}

/** A new store has nothing to lose. */
function first(wall: number): ClockSight {
  return { believed: wall, seen: wall, ran: 0 };
}
