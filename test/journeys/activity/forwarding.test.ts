/** The built daemon forwards its activity log to a file: what is in it, and what `status` says. */

import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { RealHome } from '../../bridge/real-home.ts';
import { until } from '../../waiting/until.ts';

let home: RealHome;
afterEach(() => home.clean());

test('each row is forwarded once, over a restart and a place that was gone', async () => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
  const folder = join(home.folder, 'logs');
  const file = join(folder, 'sallyport.log');
  const lines = (): readonly { number: number; mac: string; action: string; category: string }[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter(line => line !== '')
          .map(line => JSON.parse(line))
      : [];
  const actions = () => lines().map(({ action }) => action);
  const notes = async (): Promise<string> => JSON.stringify(JSON.parse(await home.here('status', '--json')).notes);

  await expect(home.here('settings', 'set', 'log.forward', 'tcp://logs.example:601')).rejects.toThrow(
    /on this machine/,
  );
  await home.here('settings', 'set', 'log.forwardMode', '640');
  await home.here('settings', 'set', 'log.forward', file);
  await until(async () => (await notes()).includes(`${file} can't be written (ENOENT)`), 'the missing folder is told');
  mkdirSync(folder);
  await home.here('query', 'Demo', "select name from customers where email = 'a-secret-value'");
  await until(async () => lines().some(({ category }) => category === 'query'), 'the statement is forwarded', 20);
  expect(await notes()).not.toContain('forwarded');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readFileSync(file, 'utf8')).not.toMatch(/a-secret-value|select name/);

  home.sallyport('restart');
  await until(async () => actions().includes('daemon.start'), 'the start is forwarded', 20);
  const numbers = lines().map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
  expect(new Set(lines().map(({ mac }) => mac)).size).toBe(numbers.length);
  expect(actions()).toContain('daemon.stop');

  await home.here('settings', 'set', 'log.forward', '');
  const before = lines().length;
  rmSync(file);
  await home.here('query', 'Demo', 'select 1');
  await new Promise(resolve => setTimeout(resolve, 1_500));
  expect([before > 0, existsSync(file)]).toEqual([true, false]);
}, 60_000);
