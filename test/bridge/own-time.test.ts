/** The time of a call ends only what isn't sent; the bridge's other suites see it at work. */

import { expect, test } from '@jest/globals';
import { OwnTime } from '../../bridge/own-time.ts';
import { pause } from './bridge-process.ts';

const timed = (milliseconds: number | undefined) => {
  const abort = new AbortController();
  const told: string[] = [];
  return { abort, told, time: new OwnTime(milliseconds, abort, awaited => told.push(awaited)) };
};
const over = () => pause(50);

test('what was sent keeps its wait; what nobody acted on is given up, once', async () => {
  const { time, told, abort } = timed(1);
  time.sent(true);
  await over();
  expect([told, abort.signal.aborted]).toEqual([[], false]);
  time.sent(false);
  time.sent(false);
  expect([told, abort.signal.aborted]).toEqual([['daemon'], true]);
});

test('it is told what was waited for', async () => {
  const { time, told } = timed(1);
  time.waitsFor = 'place';
  await over();
  expect(told).toEqual(['place']);
});

test('a cancelled one, an ended one and one without a time of its own are told nothing', async () => {
  const [cancelled, ended, none] = [timed(1), timed(1), timed(undefined)];
  cancelled.abort.abort();
  ended.time.end();
  await over();
  none.time.sent(false);
  expect([cancelled, ended, none].map(({ told, abort }) => [told, abort.signal.aborted])).toEqual([
    [[], true],
    [[], false],
    [[], false],
  ]);
});
