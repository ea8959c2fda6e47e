/**
 * The clock that decides which rows are old (spec §14). Deletion is final, so a wall clock that has
 * jumped is believed only after the daemon has run by it for a day. Kept in the store, so a jump
 * between two runs shows too.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { keepValue, keptValue } from './kept-values.ts';
import type { Store } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;

export const clockLimits = {
  /**
   * A jump up to this is believed at once (nights, weekends, a week away): what it deletes would
   * have gone within a week.
   */
  jumpMilliseconds: 7 * day,
  /**
   * A longer jump is believed after the daemon has run by it for so long, in any number of runs. A
   * person has noticed a wrong clock by then.
   */
  stoodMilliseconds: day,
  /**
   * Also the most that counts between two looks: if the machine slept, the steady clock jumps, and
   * the gap counts as one look.
   */
  everyMilliseconds: hour / 2,
} as const;

const shape = z.object({
  /** The latest believed time. All times here are milliseconds since 1970. */
  believed: z.number(),
  /** The wall clock at the last look. */
  seen: z.number(),
  /** How long the daemon has run by a clock that is far from `believed`. */
  stood: z.number(),
  /** How long the daemon has run in all, whatever the wall clock said. */
  ran: z.number(),
});
export type ClockSight = z.infer<typeof shape>;

/**
 * @param elapsed milliseconds that the daemon has run since the last look, by a clock that never
 *   goes back.
 */
export function nextSight(before: ClockSight, wall: number, elapsed: number): ClockSight {
  const passed = Math.min(elapsed, clockLimits.everyMilliseconds);
  const believed = before.believed + passed;
  const ran = before.ran + passed;
  if (isNear(wall, believed)) return { believed: wall, seen: wall, stood: 0, ran };
  // A clock that jumps again was wrong before, too.
  const stood = isNear(wall, before.seen + passed) ? before.stood + passed : 0;
  return stood < clockLimits.stoodMilliseconds
    ? { believed, seen: wall, stood, ran }
    : { believed: wall, seen: wall, stood: 0, ran };
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= clockLimits.jumpMilliseconds;
}

type Tables = Pick<Store, 'knex' | 'write'>;

interface BelievedClockPorts {
  readonly store: Tables;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Steady, milliseconds. */
  readonly elapsed: () => number;
  /** Called once, when the clock is no longer believed. */
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
    const sentence = isNear(sight.seen, sight.believed) ? null : sentenceOf(sight);
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
    /** For `status`: a sentence while the clock is not believed. */
    notes: (): readonly string[] => (told === null ? [] : [told]),
    close(): Promise<void> {
      clearInterval(timer);
      return keep();
    },
  };
}

function sentenceOf({ believed, seen, stood }: ClockSight): string {
  const days = Math.round(Math.abs(seen - believed) / day);
  const where = seen > believed ? 'ahead of' : 'behind';
  const hours = Math.ceil((clockLimits.stoodMilliseconds - stood) / hour);
  return `The system's clock is ${days} days ${where} the last time Sallyport knows of: nothing is removed from the activity log or the history for its age until Sallyport has run by it for ${hours} more hours. Set the clock right if it is wrong.`;
}

/** In the table `store`. */
const key = 'clock';

/** @returns null if there is none that can be read. */
async function load(store: Tables): Promise<ClockSight | null> {
  return shape.safeParse(parsedJson((await keptValue(store, 'store', key)) ?? '')).data ?? null;
}

/** A new store has nothing to lose. */
function first(wall: number): ClockSight {
  return { believed: wall, seen: wall, stood: 0, ran: 0 };
}
