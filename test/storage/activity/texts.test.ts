/** Rows in few bytes: what repeats stands once, rows of before stand as they did, and what nobody names any more is gone. */

import { expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { temporaryFolder } from '../home-for-tests.ts';
import { closedLogOf, entryNumber, homeIn, openTestLog } from './log-for-tests.ts';

const folder = temporaryFolder();
const day = 86_400_000;
const requestId = '0a1b2c3d-0000-4000-8000-00000000000a';

function read<Row>(path: string, sql: string): Row[] {
  const database = new BetterSqlite3(path, { readonly: true });
  const rows = database.prepare(sql).all() as Row[];
  database.close();
  return rows;
}

test('a text stands once however many rows name it, and a row is a third of what it says', async () => {
  const home = homeIn(folder);
  await closedLogOf(home, 0);
  const opened = await openTestLog(home);
  for (let number = 1; number <= 2_000; number++) opened.log.record(entryNumber(number, { requestId }));
  await opened.log.flush();
  const texts = read<{ text: string }>(opened.path, 'select text from activity_texts').map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toEqual(expect.arrayContaining(['laptop', 'token-1', 'Shop', 'execute_query', 'success', 'a client']));
  const [size] = read<{ bytes: number }>(
    opened.path,
    "select sum(pgsize) as bytes from dbstat where name like 'activity%'",
  );
  expect((size?.bytes ?? 0) / 2_000).toBeLessThan(260);
  expect((await opened.log.query({ limit: 1, token: 'laptop' })).rows).toMatchObject([{ requestId, number: 2_000 }]);
  await opened.close();
});

test('rows of before are found beside those of now, and verify', async () => {
  const opened = await openTestLog(homeIn(folder));
  for (const number of [1, 2]) opened.log.record(entryNumber(number));
  await opened.log.flush();
  // As they were written before texts had numbers.
  const inline = ['action', 'outcome', 'principal', 'token_name', 'client', 'connection_id', 'connection_name'].map(
    column => `${column} = (select text from activity_texts where hex(${column}) = printf('%02X', id))`,
  );
  opened.tamper(`update activity set ${inline.join(', ')} where number = 1`);
  expect(read(opened.path, "select number from activity where token_name = 'laptop'")).toEqual([{ number: 1 }]);
  const { rows } = await opened.log.query({ limit: 9, token: 'laptop' });
  expect(rows.map(({ number }) => number)).toEqual([2, 1]);
  expect({ ...rows[0], number: 1, time: '', rows: 1, requestId: '' }).toEqual({ ...rows[1], time: '', requestId: '' });
  expect((await opened.log.query({ limit: 9, token: 'token-1', category: 'query' })).rows).toHaveLength(2);
  expect((await opened.log.verify()).findings).toEqual([]);
  await opened.close();
});

test('a text goes with the last row that names it', async () => {
  let now = Date.parse('2026-01-01');
  const opened = await openTestLog(homeIn(folder), { now: () => now });
  for (let days = 0; days < 200; days++) {
    opened.log.record(entryNumber(days, { client: days < 60 ? 'an old client' : 'a new client' }));
    await opened.log.flush();
    now += day;
  }
  const epochs = () =>
    read<{ text: string }>(opened.path, "select text from activity_texts where text like '% client'");
  expect(epochs().length).toBeGreaterThan(20);
  expect((await opened.log.query({ limit: 1_000, token: 'laptop' })).rows).toHaveLength(200);
  await opened.log.prune();
  expect(new Set(epochs().map(({ text }) => text))).toEqual(new Set(['a new client']));
  expect(epochs().length).toBeLessThan(16);
  const { rows } = await opened.log.query({ limit: 1_000, token: 'laptop' });
  expect(rows.length).toBeGreaterThan(85);
  expect(new Set(rows.map(({ client }) => client))).toEqual(new Set(['a new client']));
  expect((await opened.log.verify()).findings).toEqual([]);
  await opened.close();
});
