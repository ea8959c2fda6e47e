/**
 * Which clock decides that rows are old: what a clock that jumps may remove, and what it may not.
 */

import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  type ClockSight,
  clockLimits,
  nextSight,
  openBelievedClock,
} from '../../../daemon/storage/store/believed-clock.ts';
import { openStore } from '../../../daemon/storage/store/store.ts';
import { temporaryFolder } from '../home-for-tests.ts';

const folder = temporaryFolder();
const hour = 3_600_000;
const day = 24 * hour;
const year = 365 * day;
const today = Date.parse('2026-11-20T12:00:00Z');
const begun: ClockSight = { believed: today, seen: today, stood: 0, ran: 0 };

/**
 * One half hour after another, by a clock that is so far ahead.
 * @returns after how many hours it is believed.
 */
function hoursUntilBelieved(from: ClockSight, ahead: number): number {
  let sight = nextSight(from, from.seen + ahead, 0);
  for (let hours = 0; hours < 1_000; hours += 0.5) {
    if (sight.believed === sight.seen) return hours;
    sight = nextSight(sight, sight.seen + hour / 2, hour / 2);
  }
  return Number.POSITIVE_INFINITY;
}

test('a clock that continues, with small corrections or after a night, a weekend or a week off, is believed at once', () => {
  for (const ahead of [0, -2_000, 14 * hour, 3 * day, 7 * day, -day]) expect(hoursUntilBelieved(begun, ahead)).toBe(0);
});

test.each([8 * day, 30 * day, 3 * year, -30 * day])('a jump of %s ms is believed after a day of running by it', ahead =>
  expect(hoursUntilBelieved(begun, ahead)).toBe(24),
);

test('a clock set three years ahead for a minute, or for most of a day, changes nothing', () => {
  for (const hours of [1 / 60, 23]) {
    let sight = nextSight(begun, today + 3 * year, 0);
    for (let passed = 0; passed < hours; passed += 0.5) sight = nextSight(sight, sight.seen + hour / 2, hour / 2);
    expect(sight.believed).toBeLessThan(today + 2 * day);
    sight = nextSight(sight, today + hours * hour, hour / 2);
    expect(sight).toEqual({
      believed: today + hours * hour,
      seen: today + hours * hour,
      stood: 0,
      ran: expect.any(Number),
    });
    expect(hoursUntilBelieved(sight, 3 * year)).toBe(24);
  }
});

test('a steady clock that jumps with the other counts for one look', () => {
  const sight = nextSight(nextSight(begun, today, 0), today + 3 * year, 3 * year);
  expect(sight.believed - today).toBe(clockLimits.everyMilliseconds);
  expect(sight.stood).toBe(0);
});

test('the day adds up over short runs, and starts anew if the clock jumps again', () => {
  let sight = nextSight(begun, today + year, 0);
  for (let run = 0; run < 40; run++) {
    // Off for a night, on for half an hour.
    sight = nextSight(sight, sight.seen + 14 * hour, 0);
    sight = nextSight(sight, sight.seen + hour / 2, hour / 2);
  }
  expect(sight.stood).toBe(20 * hour);
  expect(hoursUntilBelieved(sight, 14 * hour)).toBe(4);
  expect(hoursUntilBelieved(sight, year)).toBe(24);
});

test('how long it ran adds up, whatever the wall clock says, and is kept', async () => {
  const wall = [today, today + 2 * day, today - year, today + 3 * year];
  let at = 0;
  for (let run = 0; run < 3; run++) {
    const { clock, pass, close } = await opened('ran.db', () => wall[at++ % wall.length] ?? 0);
    expect(clock.ran()).toBe(run * hour);
    for (let half = 0; half < 2; half++) {
      pass(hour / 2);
      clock.now();
    }
    expect(clock.ran()).toBe((run + 1) * hour);
    await close();
  }
});

async function opened(home: string, wall: () => number) {
  const store = await openStore(join(folder, home));
  const jumps: string[] = [];
  let steady = 0;
  const clock = await openBelievedClock({
    store,
    now: wall,
    elapsed: () => steady,
    jumped: sentence => void jumps.push(sentence),
    report: error => {
      throw error;
    },
  });
  return {
    store,
    clock,
    jumps,
    pass(milliseconds: number) {
      steady += milliseconds;
    },
    async close() {
      await clock.close();
      await store.close();
    },
  };
}

test('the believed time is kept over restarts, and a jump is reported once, in status for as long as it lasts', async () => {
  let wall = today;
  await (await opened('kept.db', () => wall)).close();
  wall = today + 3 * year;
  for (let run = 0; run < 2; run++) {
    const { clock, jumps, close } = await opened('kept.db', () => wall);
    expect(clock.now()).toBe(today);
    expect(clock.notes().join()).toContain(
      `is 1095 days ahead of the last time Sallyport knows of: nothing is removed`,
    );
    expect(clock.notes()).toEqual(jumps);
    await close();
  }
  wall = today + hour;
  const { clock, jumps, pass, close } = await opened('kept.db', () => wall);
  expect([clock.now(), clock.notes(), jumps]).toEqual([today + hour, [], []]);
  wall = today - year;
  pass(hour);
  expect(clock.now()).toBe(wall);
  expect(clock.notes().join()).toContain('days behind');
  await close();
});

test('the last look of a run counts too, and asking for the time adds none', async () => {
  let wall = today;
  await (await opened('runs.db', () => wall)).close();
  wall = today + year;
  for (const run of [0, 1]) {
    const { clock, pass, close } = await opened('runs.db', () => wall);
    expect(clock.notes().join()).toContain(`for ${24 - run * 12} more hours`);
    for (let half = 0; half < 24; half++) {
      for (let asked = 0; asked < 5; asked++) expect(clock.now()).toBe(today + (run * 12 + half / 2) * hour);
      pass(hour / 2);
      wall += hour / 2;
    }
    await close();
  }
  const { clock, jumps, close } = await opened('runs.db', () => wall);
  expect([clock.now(), clock.notes(), jumps]).toEqual([wall, [], []]);
  await close();
});

test('a clock that is set right is no longer reported, and is reported again if it jumps again', async () => {
  let wall = today;
  const { clock, jumps, close } = await opened('twice.db', () => wall);
  for (const times of [1, 2]) {
    wall = today + year;
    expect(clock.now()).toBe(today);
    expect([clock.notes().length, jumps.length]).toEqual([1, times]);
    wall = today;
    expect(clock.now()).toBe(today);
    expect(clock.notes()).toEqual([]);
  }
  await close();
});
