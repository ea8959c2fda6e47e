/**
 * The daemon's log and the activity log name the same requests, and the setting `log.level` decides
 * how detailed the first is.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type ActivityHome, activityHome } from './home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly number?: number;
  readonly requestId?: string | null;
}

const logged = (): Line[] =>
  readFileSync(join(home.home, 'logs', 'sallyportd.log'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const set = (level: string) => home.here(['settings', 'set', 'log.level', level]);

test('at debug each row of the activity log is a line of the log, with the same request id; in the next run too', async () => {
  home = await activityHome();
  const { token } = await home.mint('Reader');
  await home.query(token, 'select 1');
  await home.rows();
  expect(logged().filter(({ level }) => level === 'debug')).toEqual([]);
  for (const run of ['this', 'next']) {
    if (run === 'this') expect(await set('debug')).toMatchObject({ code: 0, stdout: 'log.level is debug.\n' });
    else {
      await home.run(['stop']);
      await home.run(['start']);
    }
    await home.query(token, 'select 2');
    await home.query(token, 'drop table orders');
    await home.here(['pause']);
    await home.here(['resume']);
    const rows = await home.rows();
    const lines = new Map(logged().map(line => [line.number, line]));
    for (const row of rows.slice(-4)) expect(lines.get(row.number)).toMatchObject({ requestId: row.requestId });
    const named = rows.slice(-4).map(({ requestId }) => requestId);
    expect(named.every(id => typeof id === 'string' && id.length === 36)).toBe(true);
    expect(new Set(named).size).toBe(4);
  }
  expect(readFileSync(join(home.home, 'logs', 'sallyportd.log'), 'utf8')).not.toMatch(/select 2|drop table/);
}, 60_000);

test('error logs nothing below it, at once; an unknown level is refused with the existing ones', async () => {
  home = await activityHome();
  await set('error');
  const before = logged().length;
  await home.run(['stop']);
  await home.run(['start']);
  // The run's first lines are written before its settings are known.
  expect(
    logged()
      .slice(before)
      .filter(({ msg }) => msg === 'ready'),
  ).toEqual([]);
  await set('info');
  await home.run(['stop']);
  await home.run(['start']);
  expect(logged().at(-1)).toMatchObject({ level: 'info', msg: 'ready' });
  expect(await set('verbose')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('log.level takes one of error, warn, info, debug'),
  });
}, 60_000);
