/** An idle daemon gives back what its last work left, once, and a busy one is left alone. */

import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from '@jest/globals';
import { collectGarbage, collectWhenIdle } from '../../daemon/processes/idle-garbage.ts';

let end: () => void = () => {};
afterEach(() => end());

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

test('garbage is collected once the daemon is idle after work, and not again until it has worked', async () => {
  let used = 0;
  let collected = 0;
  end = collectWhenIdle({ used: () => used, collect: () => collected++, lookMilliseconds: 10 });
  const working = setInterval(() => {
    used += 1_000;
  }, 1);
  await pause(200);
  expect(collected).toBe(0);
  clearInterval(working);
  await pause(200);
  expect(collected).toBe(1);
  // A timer's work isn't worth it.
  used += 200;
  await pause(100);
  expect(collected).toBe(1);
  used += 2_000;
  await pause(100);
  expect(collected).toBe(2);
});

test('a collection frees what nobody holds, and hands no collector to others', () => {
  const megabytes = () => process.memoryUsage().heapUsed / 1_048_576;
  const held = { rows: Array.from({ length: 100_000 }, () => new Array(100).fill(0.5)) };
  const before = megabytes();
  held.rows = [];
  collectGarbage();
  expect(before - megabytes()).toBeGreaterThan(60);
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
