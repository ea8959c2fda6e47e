/** `search_query_history` of the built daemon: one's own statements, all with Full Access, of hidden connections none. */

import { afterEach, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { type ActivityHome, activityHome } from './activity-home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

async function found(token: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { json } = await home.call(token, 'search_query_history', args);
  const statements = json.result?.structuredContent?.statements;
  return Array.isArray(statements) ? statements.map(({ statement }) => statement) : json.error?.code;
}

test('who sees which statements, and what switching it off and passwords do', async () => {
  home = await activityHome();
  const other = `${home.folder}/cellar.db`;
  new Sqlite(other).exec('create table wines (id integer)').close();
  await home.run(['connections', 'add', `sqlite://${other}`, '--name', 'Cellar', '--external-clients', 'read-only']);
  const reader = (await home.mint('Reader')).token;
  const another = (await home.mint('Another')).token;
  const full = (await home.mint('Full', '--scope', 'full-access')).token;
  const fullOnCellar = (await home.mint('Half', '--scope', 'full-access', '--connections', 'Cellar')).token;

  await home.query(reader, 'select 1 from orders');
  await home.query(reader, 'drop table orders');
  await home.call(reader, 'execute_query', { connection: 'Cellar', sql: 'select 2 from wines' });
  await home.query(another, "select 3 from orders where note = 'x' and 'password' = 'geheim'");

  expect(await found(reader)).toEqual(['select 2 from wines', 'drop table orders', 'select 1 from orders']);
  expect(await found(reader, { query: 'wines' })).toEqual(['select 2 from wines']);
  expect(await found(another)).toEqual([null]);
  expect(await found(full)).toEqual([null, 'select 2 from wines', 'drop table orders', 'select 1 from orders']);
  expect(await found(fullOnCellar)).toEqual(['select 2 from wines']);
  expect(await found(fullOnCellar, { connection: 'Shop' })).toBe(await found(fullOnCellar, { connection: 'Nowhere' }));

  await home.run(['connections', 'set', 'Shop', '--external-clients', 'blocked']);
  expect(await found(reader)).toEqual(['select 2 from wines']);
  expect(await found(full)).toEqual(['select 2 from wines']);

  await home.run(['settings', 'set', 'history', 'off']);
  await home.call(reader, 'execute_query', { connection: 'Cellar', sql: 'select 4 from wines' });
  expect(await found(reader)).toEqual(['select 2 from wines']);
  expect((await home.rows('--category', 'query')).filter(({ tokenName }) => tokenName === 'Reader')).toHaveLength(4);
}, 60_000);
