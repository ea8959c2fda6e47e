import { beforeEach, expect, test } from '@jest/globals';
import { elapsedClock } from '../../../daemon/access/limits/elapsed-clock.ts';
import { lockout, lockoutRules } from '../../../daemon/access/limits/lockout.ts';

let awake: number;
let wall: number;
let uptime: number;
let looks: number;
let clock: () => number;
beforeEach(() => {
  [awake, wall, uptime, looks] = [5_000, 1_790_000_000_000, 70_000_000, 0];
  clock = elapsedClock({
    awake: () => awake,
    wall: () => wall,
    uptimeSeconds: () => {
      looks += 1;
      return uptime / 1000;
    },
  });
});

function passes(milliseconds: number, asleep = false): void {
  if (!asleep) awake += milliseconds;
  wall += milliseconds;
  uptime += milliseconds;
}

test('continues through sleep, and ignores changes of the wall clock', () => {
  const start = clock();
  passes(10_000);
  expect(clock() - start).toBe(10_000);
  passes(3_600_000, true);
  expect(clock() - start).toBe(3_610_000);
  for (const set of [86_400_000, -86_400_000, -7_200_000]) {
    wall += set;
    expect(clock() - start).toBe(3_610_000);
  }
  passes(1_000);
  expect(clock() - start).toBe(3_611_000);
});

test('asks for the uptime only if the other two differ', () => {
  for (let times = 0; times < 100; times++) {
    passes(700);
    wall += 5;
    clock();
  }
  expect(looks).toBeLessThan(3);
});

test('a lockout ends after five minutes with the lid closed, not when the wall clock is set', () => {
  const lock = lockout(lockoutRules.authentication, clock);
  for (let times = 0; times < 5; times++) lock.failed();
  wall += 86_400_000;
  expect(lock.secondsLeft()).toBe(300);
  passes(200_000, true);
  expect(lock.secondsLeft()).toBe(100);
  passes(100_000, true);
  expect(lock.secondsLeft()).toBe(0);
});
