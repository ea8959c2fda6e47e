/** What a call has left of its time, whatever it waited for. */

import { expect, test } from '@jest/globals';
import {
  CallClock,
  millisecondsLeft,
  secondsOf,
  serverSeconds,
  stopMilliseconds,
} from '../../daemon/engines/call-clock.ts';

function clockAt() {
  let now = 0;
  const clock = new CallClock(() => now);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { clock, pass };
}

test('every wait takes from the same time, but not a person’s answer; a part has its own within it', async () => {
  const { clock, pass } = clockAt();
  clock.allow(5);
  clock.allow(2);
  const whole = { clock, timeoutSeconds: 5 };
  pass(1_500);
  await clock.uncounted(async () => pass(60_000));
  expect([clock.took(), clock.left(), millisecondsLeft(whole)]).toEqual([61_500, 3_500, 3_500]);
  expect(millisecondsLeft({ clock, timeoutSeconds: 2 })).toBe(2_000);
  pass(4_000);
  expect(millisecondsLeft(whole)).toBe(0);
});

test('a server gets whole seconds, so a call that waited for nothing gets the same as the last one', () => {
  const { clock, pass } = clockAt();
  clock.allow(5);
  const timed = { clock, timeoutSeconds: 5 };
  pass(20);
  expect(serverSeconds(timed)).toBe(5);
  pass(2_000);
  expect(serverSeconds(timed)).toBe(3);
  pass(250);
  expect(serverSeconds(timed)).toBe(2);
  pass(2_000);
  expect(serverSeconds(timed)).toBe(0.8);
  pass(9_000);
  // No server takes 0 for no time at all.
  expect(serverSeconds(timed)).toBe(0.1);
  expect(serverSeconds({ timeoutSeconds: 0.5 })).toBe(0.5);
});

test.each([5, 0.5])("a server's own end within %d s has time to arrive before the call is stopped", timeoutSeconds => {
  for (let took = 0; took <= timeoutSeconds * 1_000; took += 1) {
    const { clock, pass } = clockAt();
    clock.allow(timeoutSeconds);
    pass(took);
    const ends = took + serverSeconds({ clock, timeoutSeconds }) * 1_000;
    expect(timeoutSeconds * 1_000 + stopMilliseconds - ends).toBeGreaterThanOrEqual(149);
  }
});

test.each([
  [29_983, 30],
  [1_640, 1.6],
  [298, 0.3],
  [10, 0.01],
])('%d ms are told as %d s', (milliseconds, seconds) => {
  expect(secondsOf(milliseconds)).toBe(seconds);
});
