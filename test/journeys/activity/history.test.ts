/**
 * `search_query_history` of the built daemon: a client's own statements, all of them with Full
 * Access, and none on hidden connections.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import type { HistoryEntryView } from '../../../shared/control-commands.ts';
import { nobodyConfirmed } from '../../shell-terminal/real-home.ts';
import { executeOn } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { type ActivityHome, activityHome } from './home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

async function found(token: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { json } = await home.call(token, 'search_query_history', args);
  const statements = json.result?.structuredContent?.statements;
  return Array.isArray(statements) ? statements.map(({ statement }) => statement) : json.error?.code;
}

test('who sees which statements, and what passwords and switching it off do', async () => {
  home = await activityHome();
  const other = `${home.folder}/cellar.db`;
  executeOn(other, 'create table wines (id integer)');
  await home.here(['connections', 'add', `sqlite://${other}`, '--name', 'Cellar', '--external-clients', 'read-only']);
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

  await home.here(['connections', 'set', 'Shop', '--external-clients', 'blocked']);
  expect(await found(reader)).toEqual(['select 2 from wines']);
  expect(await found(full)).toEqual(['select 2 from wines']);

  await home.here(['settings', 'set', 'history', 'off']);
  await home.call(reader, 'execute_query', { connection: 'Cellar', sql: 'select 4 from wines' });
  expect(await found(reader)).toEqual(['select 2 from wines']);
  expect((await home.rows('--category', 'query')).filter(({ tokenName }) => tokenName === 'Reader')).toHaveLength(4);
}, 60_000);

test('a preview doesn’t look like a committed statement', async () => {
  home = await activityHome();
  const { token } = await home.mint('Editor', '--scope', 'read-write');
  await home.here(['connections', 'set', 'Shop', '--external-clients', 'read-write']);
  const sql = "update orders set note = 'x' where id = 1";
  for (const tool of ['preview_write', 'execute_query']) await home.call(token, tool, { connection: 'Shop', sql });
  const { json } = await home.call(token, 'search_query_history', {});
  expect(json.result?.structuredContent?.statements).toMatchObject([
    { statement: sql, outcome: 'success', rows: 1 },
    { statement: sql, outcome: 'rolled_back', rows: 1 },
  ]);
  expect((await home.run(['history'])).stdout).toMatch(/rolled back 1 row/);
}, 60_000);

test('Sallyport’s own reads for a description are no statement of the client’s', async () => {
  home = await activityHome();
  const { token } = await home.mint('Reader');
  await home.query(token, 'select 1 from orders');
  const { json } = await home.call(token, 'describe_table', {
    connection: 'Shop',
    table: 'orders',
    include_sample: true,
  });
  expect(json.result?.structuredContent?.tables).toMatchObject([
    { sample: { rows: expect.arrayContaining([[1, 'one']]) } },
  ]);
  expect(await found(token)).toEqual(['select 1 from orders']);
  expect((await home.rows('--category', 'query')).map(({ action, rows }) => [action, rows])).toEqual([
    ['execute_query', 3],
    ['describe_table', 3],
  ]);
}, 60_000);

test('`history clear` removes the text of all, from the files too, and leaves a row; a shorter time applies at once', async () => {
  home = await activityHome();
  const { token } = await home.mint('Reader');
  await home.query(token, "select 'Zaubertrank' from orders");
  await home.query(token, 'select 2 from orders');
  const verified = (await home.verify()).rowsChecked;
  expect(await home.run(['history', 'clear'])).toEqual({
    code: 0,
    stdout: '2 statements were removed.\n',
    stderr: nobodyConfirmed,
  });
  expect(await found(token)).toEqual([]);
  const bytes = readdirSync(home.home, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => readFileSync(join(home.home, name), 'latin1'));
  expect(bytes.join().toLowerCase()).not.toContain('zaubertrank');
  expect((await home.rows('--category', 'admin')).at(-1)).toMatchObject({
    action: 'history.clear',
    outcome: 'success',
    reason: '2 statements',
    requestId: expect.any(String),
  });
  expect(await home.json(['history', 'clear'])).toEqual({ removed: 0 });
  expect(await home.verify()).toMatchObject({ intact: true });
  expect((await home.verify()).rowsChecked).toBeGreaterThan(verified);

  await home.query(token, 'select 3 from orders');
  await found(token);
  home.edit(store => store.prepare('update history set time = time - 3 * 86400000').run());
  await home.here(['settings', 'set', 'history.days', '2']);
  await until(
    async () => isDeepStrictEqual(await found(token), []),
    'the statement of three days ago to be removed',
    10,
  );
}, 60_000);

test('`history` shows its owner what clients sent, by words, connection, number, and as it comes', async () => {
  home = await activityHome();
  const reader = (await home.mint('Reader')).token;
  await home.query(reader, 'select 1\nfrom orders');
  await home.query(reader, 'drop table orders');
  await home.query(reader, "select 'password' = 'geheim'");
  await home.query(reader, "select '\u001b[31m' from orders");

  const { stdout } = await home.run(['history']);
  const clock = String.raw`\d\d:\d\d:\d\d`;
  expect(stdout).toMatch(
    new RegExp(
      [
        String.raw`^\d{4}-\d\d-\d\d`,
        `${clock}  Reader on Shop: success 3 rows [\\d.]+ m?s`,
        '  select 1',
        '  from orders',
        `${clock}  Reader on Shop: denied.*`,
        '  drop table orders',
        `${clock}  Reader on Shop: .*`,
        String.raw`  \(not kept: it has a password in it\)`,
        `${clock}  Reader on Shop: success 3 rows [\\d.]+ m?s`,
        String.raw`  select '\\u\{1b\}\[31m' from orders`,
        '$',
      ].join('\n'),
    ),
  );
  const texts = async (...options: string[]) =>
    (await home.json<HistoryEntryView[]>(['history', ...options])).map(({ statement }) => statement);
  expect(await texts('--search', 'drop')).toEqual(['drop table orders']);
  expect(await texts('--limit', '2')).toEqual([null, "select '\u001b[31m' from orders"]);
  expect(await texts('--since', '1m')).toHaveLength(4);
  expect(await texts('--since', '2100-01-01')).toEqual([]);
  expect(await texts('--connection', 'shop')).toHaveLength(4);
  expect(await texts('--client', 'reader')).toHaveLength(4);
  expect(await texts('--client', 'Stranger')).toEqual([]);
  expect((await home.here(['history', '--connection', 'Cellar'])).code).toBe(1);
  expect((await home.here(['history', '--limit', '0'])).code).toBe(2);

  const follower = home.spawn(['history', '--follow', '--json', '--search', 'orders', '--limit', '1']);
  let followed = '';
  follower.stdout?.on('data', chunk => {
    followed += chunk;
  });
  const seen = () => followed.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).statement]));
  await until(() => seen().length === 1, 'what was sent before');
  await home.query(reader, 'select 5 from orders');
  await home.query(reader, 'select 6');
  await home.query(reader, 'select 7 from orders');
  await until(() => seen().length === 3, 'what came meanwhile');
  await home.here(['history', 'clear']);
  await home.query(reader, 'select 8 from orders');
  await until(() => seen().length === 4, 'what came after all was removed');
  follower.kill();
  expect(seen().slice(1)).toEqual(['select 5 from orders', 'select 7 from orders', 'select 8 from orders']);

  await home.here(['settings', 'set', 'history', 'off']);
  expect((await home.here(['history', '--search', 'nowhere'])).stdout).toBe('No kept statement matches.\n');
  expect((await home.here(['history'])).stderr).toContain('No statements are kept now');
}, 60_000);
