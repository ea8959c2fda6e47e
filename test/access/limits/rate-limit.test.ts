/** The limit on requests per minute and at once (spec §13), on a clock of the test's own. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Concurrency, concurrency, type Slot } from '../../../daemon/access/limits/concurrency.ts';
import { type RateLimit, rateLimit } from '../../../daemon/access/limits/rate-limit.ts';
import { defaultRequestLimits, type RequestLimits } from '../../../daemon/access/limits/request-limits.ts';

let now: number;
let limits: RequestLimits;
beforeEach(() => {
  now = 5_000;
  limits = defaultRequestLimits;
});
const client = (id: string) => ({ id, isBridge: false });
const bridge = (id: string | number, ...lineage: string[]) => ({ id: `bridge:${id}`, isBridge: true, lineage });

describe('within a minute', () => {
  let rate: RateLimit;
  beforeEach(() => {
    rate = rateLimit(
      () => limits,
      () => now,
    );
  });
  const take = (times: number, of = client('a')): number[] => Array.from({ length: times }, () => rate.take(of));

  test('240 pass, the next waits until the first of them is a minute old', () => {
    expect(take(240).every(wait => wait === 0)).toBe(true);
    expect(rate.take(client('a'))).toBe(60);
    expect(rate.take(client('b'))).toBe(0);
    now += 59_001;
    expect(rate.take(client('a'))).toBe(1);
    now += 999;
    expect(take(240).every(wait => wait === 0)).toBe(true);
    expect(rate.take(client('a'))).toBe(60);
  });

  test('the window slides: a client that spreads its requests is told the exact wait', () => {
    for (let time = 0; time < 240; time++) {
      rate.take(client('a'));
      now += 100;
    }
    // 24 s have passed since the first.
    expect(rate.take(client('a'))).toBe(36);
    now += 36_000;
    expect(rate.take(client('a'))).toBe(0);
    expect(rate.take(client('a'))).toBe(1);
  });

  test('refused requests don’t count', () => {
    take(240);
    now += 30_000;
    take(1_000);
    now += 30_000;
    expect(rate.take(client('a'))).toBe(0);
  });

  test('all bridges together have 960, each 240', () => {
    expect(take(240, bridge(1)).every(wait => wait === 0)).toBe(true);
    expect(rate.take(bridge(1))).toBe(60);
    for (let number = 2; number <= 4; number++) take(240, bridge(number));
    expect(rate.take(bridge('a name of its own'))).toBe(60);
    // Bridges use up nothing of the others' share.
    expect(rate.take(client('a'))).toBe(0);
    now += 60_000;
    expect(rate.take(bridge(1))).toBe(0);
  });

  test('a new name for each request gains a bridge nothing', () => {
    let passed = 0;
    for (let number = 0; number < 50_000; number++) if (rate.take(bridge(number)) === 0) passed++;
    expect(passed).toBe(960);
  });

  test('what one tree of bridges takes is not taken from another; a third finds its part, too', () => {
    const passed = (times: number, tree: string): number =>
      Array.from({ length: times }, (_, number) => rate.take(bridge(`${tree}${number}`, tree))).filter(
        wait => wait === 0,
      ).length;
    expect(passed(2_000, 'flood')).toBe(960);
    expect(passed(2_000, 'a terminal')).toBe(480);
    expect(passed(2_000, 'another')).toBe(320);
    expect(passed(1, 'flood')).toBe(0);
    // Without the flood it has all again.
    now += 60_000;
    expect(passed(960, 'a terminal')).toBe(960);
  });

  test('a changed limit applies at once; 0 means none', () => {
    take(240);
    limits = { ...limits, requestsPerMinute: 250 };
    expect(take(10).every(wait => wait === 0)).toBe(true);
    expect(rate.take(client('a'))).toBe(60);
    limits = { ...limits, requestsPerMinute: 0 };
    expect(take(5_000).every(wait => wait === 0)).toBe(true);
    limits = { ...limits, requestsPerMinute: 2 };
    expect(rate.take(client('a'))).toBe(60);
    now += 60_000;
    expect(take(3)).toEqual([0, 0, 60]);
  });
});

describe('at once', () => {
  let counted: Concurrency;
  beforeEach(() => {
    counted = concurrency(() => limits);
  });
  const begin = (times: number, of = client('a')): (Slot | null)[] =>
    Array.from({ length: times }, () => counted.begin(of, 'work'));

  test('8 of one principal; when one ends, another may start', () => {
    const slots = begin(8);
    expect(slots).not.toContain(null);
    expect(begin(1)).toEqual([null]);
    expect(counted.begin(client('b'), 'work')).not.toBeNull();
    slots[3]?.release();
    slots[3]?.release();
    expect(begin(2).map(slot => slot !== null)).toEqual([true, false]);
  });

  test('all bridges together: 64', () => {
    for (let number = 0; number < 8; number++) expect(begin(8, bridge(number))).not.toContain(null);
    expect(begin(1, bridge('new'))).toEqual([null]);
    expect(begin(1)).not.toContain(null);
  });

  test('a tree of bridges that holds all 64 keeps no other from its part, and gets its own back', () => {
    const flood = Array.from({ length: 64 }, (_, number) => counted.begin(bridge(number, 'flood'), 'work'));
    expect(flood).not.toContain(null);
    expect(begin(1, bridge('more', 'flood'))).toEqual([null]);
    const own = Array.from({ length: 40 }, (_, number) => counted.begin(bridge(`t${number}`, 'a terminal'), 'work'));
    expect(own.filter(slot => slot !== null)).toHaveLength(32);
    for (const slot of own) slot?.release();
    flood[0]?.release();
    expect(begin(1, bridge('more', 'flood'))).not.toContain(null);
  });

  test('nor from a place to wait, and the tree that holds fewest goes first', () => {
    for (let number = 0; number < 64; number++) counted.begin(bridge(number, 'flood'), 'work');
    const given: string[] = [];
    const wait = (name: string, tree: string) => counted.wait(bridge(name, tree), () => given.push(name));
    const places = Array.from({ length: 400 }, (_, number) => wait(`f${number}`, 'flood'));
    expect(places.filter(place => place !== null)).toHaveLength(320);
    const last = begin(32, bridge('t', 'a terminal')).filter(slot => slot !== null);
    expect(last).toHaveLength(8);
    expect(wait('t9', 'a terminal')).not.toBeNull();
    last[0]?.release();
    expect(given).toEqual(['t9']);
  });

  test('subscriptions are counted separately, and limited too', () => {
    begin(8);
    const open = Array.from({ length: 9 }, () => counted.begin(client('a'), 'subscription'));
    expect(open.map(slot => slot !== null)).toEqual([...Array(8).fill(true), false]);
    open[0]?.release();
    expect(counted.begin(client('a'), 'subscription')).not.toBeNull();
  });

  test('a request that waits for a person takes no slot, and continues even if another one takes it', async () => {
    const slots = begin(8);
    let answer = (_yes: string): void => {};
    const asked = counted.whileWaiting(client('a'), () => new Promise<string>(resolve => (answer = resolve)));
    expect(begin(2).map(slot => slot !== null)).toEqual([true, false]);
    answer('yes');
    expect(await asked).toBe('yes');
    // Nine are running: two must end before another starts.
    slots[0]?.release();
    expect(begin(1)).toEqual([null]);
    slots[1]?.release();
    expect(begin(1)).not.toContain(null);
  });

  test('a request that ends while it waits gives its slot back once', async () => {
    const slots = begin(8);
    let end = (): void => {};
    const asked = counted.whileWaiting(
      client('a'),
      () => new Promise<void>((_, reject) => (end = () => reject(new Error('left')))),
    );
    slots[0]?.release();
    expect(begin(2).map(slot => slot !== null)).toEqual([true, true]);
    end();
    await expect(asked).rejects.toThrow('left');
    expect(begin(1)).toEqual([null]);
  });

  test('0 means no limit', () => {
    limits = { ...limits, concurrentRequests: 0 };
    expect(begin(1_000)).not.toContain(null);
  });
});
