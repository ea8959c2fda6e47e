/** The count of failed attempts (spec §13), on a clock of the test's own. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Lockout, lockout, lockoutRules } from '../../../daemon/access/limits/lockout.ts';

let now: number;
beforeEach(() => {
  now = 5_000;
});
const elapsed = (): number => now;
const fail = (counted: Lockout, times: number): void => {
  for (let time = 0; time < times; time++) counted.failed();
};

describe.each([
  ['authentication', 60, 300],
  ['exchange', 300, 900],
] as const)('%s', (name, withinSeconds, lockedSeconds) => {
  let counted: Lockout;
  beforeEach(() => {
    counted = lockout(lockoutRules[name], elapsed);
  });

  test('the fifth failure locks, to the millisecond, and says how long', () => {
    fail(counted, 4);
    expect(counted.secondsLeft()).toBe(0);
    counted.failed();
    expect(counted.secondsLeft()).toBe(lockedSeconds);
    now += 500;
    expect(counted.secondsLeft()).toBe(lockedSeconds);
    now += 500;
    expect(counted.secondsLeft()).toBe(lockedSeconds - 1);
    now += (lockedSeconds - 1) * 1000 - 1;
    expect(counted.secondsLeft()).toBe(1);
    now += 1;
    expect(counted.secondsLeft()).toBe(0);
  });

  test('failures further apart than the window never lock', () => {
    for (let time = 0; time < 100; time++) {
      counted.failed();
      now += (withinSeconds * 1000) / 4;
      expect(counted.secondsLeft()).toBe(0);
    }
  });

  test('five in one window lock, wherever the window begins', () => {
    counted.failed();
    now += withinSeconds * 1000 - 1;
    fail(counted, 3);
    expect(counted.secondsLeft()).toBe(0);
    now += 1;
    // The first one has left the window; this is the fourth in it.
    counted.failed();
    expect(counted.secondsLeft()).toBe(0);
    counted.failed();
    expect(counted.secondsLeft()).toBe(lockedSeconds);
  });

  test('a failure during the lockout doesn’t change its length, and afterwards the count starts anew', () => {
    fail(counted, 5);
    now += 1_000;
    fail(counted, 20);
    expect(counted.secondsLeft()).toBe(lockedSeconds - 1);
    now += (lockedSeconds - 1) * 1000;
    fail(counted, 4);
    expect(counted.secondsLeft()).toBe(0);
    counted.failed();
    expect(counted.secondsLeft()).toBe(lockedSeconds);
  });
});
