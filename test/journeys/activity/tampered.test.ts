/**
 * `sallyport activity verify` reports each row of the built daemon's log that was edited, deleted,
 * cut off or swapped.
 */

import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { type ActivityHome, activityHome } from './home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

const stop = () => home.run(['stop']);
const start = () => home.run(['start']);
const last = async (): Promise<number> => (await home.rows()).at(-1)?.number ?? 0;

async function someRows(count: number): Promise<void> {
  const { token } = await home.mint('Reader');
  for (let times = 0; times < count / 2; times++) await home.query(token, 'select 1');
}

test('an edited row and a deleted one are reported while the daemon runs', async () => {
  home = await activityHome();
  await someRows(10);
  const end = await last();
  home.edit(store => store.prepare("update activity set outcome = 'denied' where number = ?").run(end - 2));
  expect(await home.verify()).toMatchObject({
    intact: false,
    findings: [{ kind: 'edited', from: end - 2, to: end - 2 }],
  });
  home.edit(store => store.prepare('delete from activity where number = ?').run(end - 5));
  const { findings } = await home.verify();
  expect(findings).toContainEqual(expect.objectContaining({ kind: 'removed', from: end - 5, to: end - 5 }));
  const shown = await home.run(['activity', 'verify']);
  expect(shown).toMatchObject({ code: 1, stdout: expect.stringContaining(`Row ${end - 2} was edited`) });
}, 60_000);

test('later followers see the row about it, as the list shows it', async () => {
  home = await activityHome();
  const { token } = await home.mint('Reader');
  await home.query(token, 'select 1');
  const end = await last();
  home.edit(store => store.prepare('delete from activity where number = ?').run(end));
  await home.query(token, 'select 2');
  const listed = (await home.rows()).map(({ number }) => number);
  expect((await home.rows()).map(({ action }) => action)).toContain('activity.truncated');
  const follower = home.spawn(['activity', '--follow', '--json']);
  let followed = '';
  follower.stdout?.on('data', chunk => {
    followed += chunk;
  });
  const seen = () => followed.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).number]));
  await until(() => seen().length >= listed.length, 'the list is followed');
  follower.kill();
  expect(seen()).toEqual(listed);
}, 60_000);

test('the last ten, cut off while it was stopped, are reported at the next verification', async () => {
  home = await activityHome();
  await someRows(14);
  await stop();
  let end = 0;
  home.edit(store => {
    end = Number(store.value('select max(number) from activity'));
    store.prepare('delete from activity where number > ?').run(end - 10);
  });
  await start();
  const { intact, findings } = await home.verify();
  expect(intact).toBe(false);
  expect(findings).toContainEqual(expect.objectContaining({ kind: 'truncated', from: end - 9, to: end }));
}, 60_000);

test('an older copy in its place is reported as that', async () => {
  home = await activityHome();
  await someRows(4);
  await stop();
  home.copyStore(join(home.folder, 'older.db'));
  await start();
  await someRows(6);
  expect(await home.verify()).toMatchObject({ intact: true });
  await stop();
  home.putStore(join(home.folder, 'older.db'));
  await start();
  const { intact, findings } = await home.verify();
  expect(intact).toBe(false);
  expect(findings).toContainEqual(expect.objectContaining({ kind: 'older_copy' }));
}, 60_000);
