/** The count of failed attempts (spec §13), on a clock of the test's own. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import { clientAddress } from '../../../daemon/access/limits/client-address.ts';
import { type Lockout, lockout, lockoutRules } from '../../../daemon/access/limits/lockout.ts';

let now: number;
beforeEach(() => {
  now = 5_000;
});
const elapsed = (): number => now;
const fail = (counted: Lockout, times: number, address = 'a'): void => {
  for (let time = 0; time < times; time++) counted.failed(address);
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
    expect(counted.secondsLeft('a')).toBe(0);
    counted.failed('a');
    expect(counted.secondsLeft('a')).toBe(lockedSeconds);
    now += 500;
    expect(counted.secondsLeft('a')).toBe(lockedSeconds);
    now += 500;
    expect(counted.secondsLeft('a')).toBe(lockedSeconds - 1);
    now += (lockedSeconds - 1) * 1000 - 1;
    expect(counted.secondsLeft('a')).toBe(1);
    now += 1;
    expect(counted.secondsLeft('a')).toBe(0);
  });

  test('failures further apart than the window never lock', () => {
    for (let time = 0; time < 100; time++) {
      counted.failed('a');
      now += (withinSeconds * 1000) / 4;
      expect(counted.secondsLeft('a')).toBe(0);
    }
  });

  test('five in one window lock, wherever the window begins', () => {
    counted.failed('a');
    now += withinSeconds * 1000 - 1;
    fail(counted, 3);
    expect(counted.secondsLeft('a')).toBe(0);
    now += 1;
    // The first one has left the window; this is the fourth in it.
    counted.failed('a');
    expect(counted.secondsLeft('a')).toBe(0);
    counted.failed('a');
    expect(counted.secondsLeft('a')).toBe(lockedSeconds);
  });

  test('a failure during the lockout doesn’t change its length, and afterwards the count starts anew', () => {
    fail(counted, 5);
    now += 1_000;
    fail(counted, 20);
    expect(counted.secondsLeft('a')).toBe(lockedSeconds - 1);
    now += (lockedSeconds - 1) * 1000;
    fail(counted, 4);
    expect(counted.secondsLeft('a')).toBe(0);
    counted.failed('a');
    expect(counted.secondsLeft('a')).toBe(lockedSeconds);
  });
});

test('addresses are counted separately, and a flood of them lifts no lockout and gives nobody more tries', () => {
  const counted = lockout(lockoutRules.authentication, elapsed);
  fail(counted, 5, 'victim');
  fail(counted, 4, 'patient');
  for (let number = 0; number < 100_000; number++) counted.failed(`flood ${number}`);
  expect(counted.secondsLeft('victim')).toBe(300);
  // Addresses beyond the remembered ones share one count, which is locked by now.
  expect(counted.secondsLeft('somebody new')).toBe(300);
  counted.failed('patient');
  expect(counted.secondsLeft('patient')).toBe(300);
  now += 300_000;
  expect(counted.secondsLeft('somebody new')).toBe(0);
  counted.failed('somebody new');
  expect(counted.secondsLeft('somebody new')).toBe(0);
});

test('all addresses of this machine are one client', () => {
  const own = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:127.0.0.9'].map(clientAddress);
  expect(new Set(own).size).toBe(1);
  expect(clientAddress(undefined)).toBe(own[0]);
  expect(clientAddress('192.168.0.7')).toBe('192.168.0.7');
  expect(clientAddress('1127.0.0.1')).toBe('1127.0.0.1');
});
