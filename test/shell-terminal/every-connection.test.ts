/** A thousand connections are asked side by side, in bounded time, and how far it got is told. */

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { askOfEach } from '../../shell-terminal/every-connection.ts';

const connections = Array.from({ length: 1_000 }, (_, at) => ({ name: `${at}` }) as Partial<ConnectionView>);
const all = connections as readonly ConnectionView[];

test('all are asked, at most sixteen at once, and answered in their order', async () => {
  let running = 0;
  let most = 0;
  const told: number[] = [];
  const answers = await askOfEach(
    all,
    async ({ name }) => {
      running += 1;
      most = Math.max(most, running);
      await wait(Number(name) % 3);
      running -= 1;
      return name;
    },
    { told: answered => void told.push(answered) },
  );
  expect(answers).toEqual(all.map(({ name }) => name));
  expect(most).toBe(16);
  expect(told).toEqual(all.map((_, at) => at + 1));
});

test('after the time is over no further one is asked, and those under way are waited for', async () => {
  const asked: string[] = [];
  const answers = await askOfEach(
    all,
    async ({ name }) => {
      asked.push(name);
      await wait(20);
      return name;
    },
    { milliseconds: 50 },
  );
  expect(answers.toSorted()).toEqual(asked.toSorted());
  expect(answers.length).toBeGreaterThanOrEqual(16);
  expect(answers.length).toBeLessThan(1_000);
});
