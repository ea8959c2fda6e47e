/** A daemon that was blocked says so, and during what kind of work. */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Stalls, watchStalls } from '../../daemon/processes/stalls.ts';

const at = Date.parse('2026-11-20T12:00:00.000Z');
let stalls: Stalls;
let warned: { readonly milliseconds: number; readonly cause: string }[];
let now: number;
let used: () => number;
beforeEach(() => {
  warned = [];
  now = at;
  used = () => performance.now();
  stalls = watchStalls({
    elapsed: () => performance.now(),
    used: () => used(),
    now: () => now,
    warn: facts => void warned.push(facts),
  });
  stalls.watch();
});
afterEach(() => stalls.close());

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('a stall is reported with the kind of work that took most of it, for an hour', async () => {
  await pause(100);
  stalls.work.during('reading a request', () => busy(600));
  await pause(1_500);
  expect(warned).toContainEqual({ milliseconds: expect.any(Number), cause: 'while reading a request' });
  expect(stalls.notes()).toEqual([
    expect.stringMatching(
      /^Sallyport was blocked for \d+\.\d s at 2026-11-20 \d\d:00, while reading a request; nobody/,
    ),
  ]);
  now += 3_600_001;
  expect(stalls.notes()).toEqual([]);
});

test('work without a kind is reported as such', async () => {
  await pause(100);
  stalls.work.during('reading a request', () => {});
  busy(600);
  await pause(1_500);
  expect(warned.map(({ cause }) => cause)).toContain('cause unknown');
  expect(stalls.notes().join()).toMatch(/ s at 2026-11-20 \d\d:00; nobody was answered meanwhile\.$/);
});

test('a machine that gave no time is in the log, and not in the status', async () => {
  await pause(100);
  used = () => 0;
  busy(600);
  await pause(1_500);
  expect(warned.map(({ cause }) => cause)).toContain('because this machine slept or was busy');
  expect(stalls.notes().join()).not.toContain('slept');
});
