/**
 * Which clock decides that rows are old: how far a clock that jumps may move it.
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
const begun: ClockSight = { believed: today, seen: today, ran: 0 };

/** Looks each half hour while the daemon runs. */
function running(from: ClockSight, hours: number): ClockSight {
  let sight = from;
  for (let passed = 0; passed < hours; passed += 0.5) sight = nextSight(sight, sight.seen + hour / 2, hour / 2);
  return sight;
}

test('a clock that goes on, with small corrections or after a night or a day off, is followed at once', () => {
  for (const ahead of [0, -2_000, 14 * hour, day, 2 * day, -day]) {
    const { believed, seen } = nextSight(begun, today + ahead, 0);
    expect([seen, believed]).toEqual([today + ahead, today + ahead]);
  }
});

test.each([8 * day, 30 * day, 3 * year, -30 * day])('a jump of %s ms moves it by two days, and by two a day', jump => {
  const sign = Math.sign(jump);
  let sight = nextSight(begun, today + jump, 0);
  expect(sight.believed).toBe(today + 2 * sign * day);
  sight = running(sight, 48);
  expect(sight.believed).toBe(today + 6 * sign * day);
});

test('of a log of ninety days, a clock that is years ahead for a month leaves the last month', () => {
  const sight = running(nextSight(begun, today + 3 * year, 0), 29 * 24);
  expect(sight.believed - today).toBe(60 * day);
});

test('once the clock is set right again it is followed at once, and the next jump moves it no further', () => {
  let sight = begun;
  for (const jump of [3 * year, 0, -year, 0, year, 0, 3 * year]) {
    sight = nextSight(sight, today + jump, 1_000);
    expect(Math.abs(sight.believed - today)).toBeLessThanOrEqual(2 * day + 10_000);
  }
});

test('a steady clock that jumps with the other counts for one look', () => {
  const sight = nextSight(begun, today + 3 * year, 3 * year);
  expect(sight.believed - today).toBe(2 * (day + clockLimits.everyMilliseconds));
});

test.each([
  ['a machine that works eight hours a day', 8, 16],
  ['one that works for an hour every other day', 1, 47],
])('%s follows the clock, and catches up after a month off', (_, hoursOn, hoursOff) => {
  let sight = begun;
  const live = (days: number): void => {
    for (let passed = 0; passed < days * 24; passed += hoursOn + hoursOff)
      sight = nextSight(running(sight, hoursOn), sight.seen + (hoursOn + hoursOff) * hour, 0);
  };
  live(200);
  expect(sight.believed).toBe(sight.seen);
  sight = nextSight(sight, sight.seen + 30 * day, 0);
  expect(sight.seen - sight.believed).toBe(28 * day);
  live(700);
  expect(sight.believed).toBe(sight.seen);
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
    expect(clock.now()).toBe(today + 2 * day);
    expect(clock.notes().join()).toContain('is 1093 days ahead of the last time that Sallyport knows of.');
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

test('the last look of a run counts too, and asking for the time adds nothing', async () => {
  let wall = today;
  await (await opened('runs.db', () => wall)).close();
  wall = today + year;
  for (const run of [0, 1]) {
    const { clock, pass, close } = await opened('runs.db', () => wall);
    for (let half = 0; half < 24; half++) {
      const followed = 2 * day + 2 * (run * 12 + half / 2) * hour;
      for (let asked = 0; asked < 5; asked++) expect(clock.now()).toBe(today + followed);
      pass(hour / 2);
      wall += hour / 2;
    }
    await close();
  }
});

test('a clock that is set right is no longer reported, and is reported again if it jumps again', async () => {
  let wall = today;
  const { clock, jumps, close } = await opened('twice.db', () => wall);
  for (const times of [1, 2]) {
    wall = today + year;
    expect(clock.now()).toBe(today + 2 * day);
    expect([clock.notes().length, jumps.length]).toEqual([1, times]);
    wall = today;
    expect(clock.now()).toBe(today);
    expect(clock.notes()).toEqual([]);
  }
  await close();
});
