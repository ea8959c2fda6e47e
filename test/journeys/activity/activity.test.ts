/**
 * What the built daemon records, what `sallyport activity` shows of it, and what no table holds.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { ActivityRowView } from '../../../shared/control-commands.ts';
import type { Note } from '../../../shared/note.ts';
import { send } from '../../clients/http/wire.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { type ActivityHome, activityHome } from './home.ts';

let home: ActivityHome;
afterEach(() => home.clean());

const notes = (): unknown[] => {
  const database = new SqliteFile(home.shop, { readOnly: true });
  const rows = database.values('select note from orders order by id');
  database.close();
  return rows;
};

test('a write leaves an attempt and its outcome, a read one row, and no call another one that says the same; follow shows them as they come', async () => {
  home = await activityHome();
  const { id, token } = await home.mint('Editor', '--scope', 'read-write');
  const follower = home.spawn(['activity', '--follow', '--json', '--category', 'query']);
  let followed = '';
  follower.stdout?.on('data', chunk => {
    followed += chunk;
  });
  const sql = "update orders set note = 'changed' where id = 1";
  expect((await home.query(token, sql)).json.result?.isError).toBeUndefined();
  await home.query(token, 'select * from orders');
  await home.query(token, 'drop table orders');

  const rows = await home.rows('--category', 'query');
  expect(rows.map(({ kind, outcome, fate, rows: count }) => [kind, outcome, fate, count])).toEqual([
    ['attempt', null, 'settled', null],
    ['outcome', 'success', null, 1],
    ['event', 'success', null, 3],
    ['event', 'denied', null, null],
  ]);
  const [attempt, outcome] = rows;
  expect(outcome).toMatchObject({
    attempt: attempt?.number,
    action: 'execute_query',
    principal: id,
    tokenName: 'Editor',
    client: 'wire test',
    connection: { name: 'Shop' },
    statementHash: createHash('sha256').update(sql).digest('hex'),
    requestId: attempt?.requestId,
  });
  expect(rows[3]?.reason).toMatch(/^denied: DROP removes/);

  for (const row of rows.slice(1)) {
    expect(row).toMatchObject({ tokenName: 'Editor', client: 'wire test', action: 'execute_query' });
    expect(row.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(row.durationMilliseconds).toBeGreaterThan(0);
  }
  expect(await home.rows('--category', 'tool', '--token', 'Editor')).toEqual([]);
  // Calls without a classified statement.
  await home.call(token, 'execute_query', { connection: 'Shop' });
  await home.call(token, 'execute_query', { connection: 'Nowhere', sql });
  await home.call(token, 'no_such_tool', { connection: 'Shop', sql });
  await home.call(token, 'list_connections', {});
  expect(
    (await home.rows('--category', 'tool', '--token', 'Editor')).map(({ action, outcome: end }) => [action, end]),
  ).toEqual([
    ['execute_query', 'error'],
    ['execute_query', 'denied'],
    ['unknown_tool', 'error'],
    ['list_connections', 'success'],
  ]);
  // Includes the row of the token's creation.
  expect(await home.rows('--token', id)).toHaveLength(9);
  expect(await home.rows('--since', '2099-01-01')).toEqual([]);
  expect((await home.rows('--since', '1h')).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['daemon.start', 'connection.add', 'token.mint']),
  );

  await until(() => followed.trim().split('\n').length >= 4, 'four rows are followed');
  const told: ActivityRowView[] = followed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(told.map(({ number }) => number)).toEqual(rows.map(({ number }) => number));
  const table = (await home.run(['activity'])).stdout;
  expect(table).toMatch(/^\d\d:\d\d:\d\d {2}Editor +query execute_query +Shop +success 1 row [\d.]+ m?s$/m);
  expect(await home.verify()).toMatchObject({ intact: true, findings: [] });
}, 60_000);

test('killed during a write, the log says that its outcome is unknown', async () => {
  home = await activityHome();
  const { token } = await home.mint('Editor', '--scope', 'read-write');
  const slow =
    'insert into orders (note) with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where i < 0';
  const cutOff = home.query(token, slow).catch(() => null);
  await until(async () => (await home.rows('--category', 'query')).some(({ fate }) => fate === 'running'), 'it runs');
  await home.end('SIGKILL');
  await cutOff;
  expect((await home.run(['start'])).code).toBe(0);
  expect(await home.rows('--category', 'query')).toMatchObject([{ kind: 'attempt', fate: 'unknown' }]);
  expect((await home.run(['activity'])).stdout).toMatch(/query execute_query +Shop +outcome unknown$/m);
  expect(await home.verify()).toMatchObject({ intact: true });
  expect(notes()).toEqual(['one', 'two', 'three']);
}, 60_000);

test('while the log can’t be written nothing is written either; reading continues and says so', async () => {
  home = await activityHome();
  const { token } = await home.mint('Editor', '--scope', 'read-write');
  home.edit(store =>
    store.exec("create trigger no_rows before insert on activity begin select raise(abort, 'no room'); end"),
  );
  const refused = await home.query(token, 'delete from orders where id = 2');
  expect(refused.json.result?.content?.[0]?.text).toMatch(
    /^denied: Nothing was run, because .* the activity log can't be written\./,
  );
  expect(notes()).toEqual(['one', 'two', 'three']);
  const read = await home.query(token, 'select note from orders');
  expect(read.json.result?.structuredContent).toMatchObject({
    rows: { length: 3 },
    warnings: [expect.stringContaining("The activity log can't be written")],
  });
  const status = await home.json<{ notes: Note[] }>(['status']);
  expect(status.notes).toContainEqual({
    code: 'activity',
    sentence: expect.stringContaining("The activity log can't be written"),
  });

  home.edit(store => store.exec('drop trigger no_rows'));
  await until(
    async () => !JSON.stringify(await home.json(['status'])).includes("The activity log can't be written"),
    'Sallyport writes it again',
  );
  await home.query(token, 'delete from orders where id = 2');
  expect(notes()).toEqual(['one', 'three']);
}, 60_000);

test('the table contains no secret and no statement, and an internal failure is found by its id in log and activity', async () => {
  home = await activityHome();
  const { token } = await home.mint('Editor', '--scope', 'full-access');
  const { port } = await home.json<{ port: number }>(['status']);
  await home.run(['connections', 'add', 'postgres://anna:geheim1@127.0.0.1:1/x', '--name', 'Far']);
  for (const sql of ["select 'geheim2'", 'selec geheim2', "update orders set note = 'geheim2' where id = 1"]) {
    await home.query(token, sql);
    await home.call(token, 'preview_write', { connection: 'Shop', sql });
    await home.call(token, 'execute_query', { connection: 'Far', sql });
  }
  await home.call(token, 'execute_query', { connection: 'postgres://anna:geheim1@there/x', sql: 'x' });
  await home.call(token, 'execute_query', { connection: 'Shop', sql: 'x', max_rows: 'geheim2' });
  await home.call(token, 'list_connections', { ['geheim2 '.repeat(10)]: 1 });
  await home.call(token, 'geheim2 select', { sql: 'geheim2' });
  const wrong = `sp_geheim3${'x'.repeat(35)}`;
  await send(`http://127.0.0.1:${port}/mcp`, { headers: { Authorization: `Bearer ${wrong}` } });

  home.edit(store => store.exec('drop table history'));
  const failed = await home.call(token, 'search_query_history', {});
  const text = failed.json.result?.content?.[0]?.text ?? '';
  const requestId = /under request ([\w-]+)\./.exec(text)?.[1] ?? 'none';
  expect(text).toMatch(/^internal_failure/);
  const [row] = (await home.rows()).filter(({ requestId: known }) => known === requestId);
  expect(row).toMatchObject({ action: 'search_query_history', outcome: 'error' });
  const logs = join(home.home, 'logs');
  expect(
    readdirSync(logs)
      .map(name => readFileSync(join(logs, name), 'utf8'))
      .join(''),
  ).toContain(requestId);

  let stored = '';
  home.edit(store => {
    stored = JSON.stringify(store.prepare('select * from activity').all());
  });
  expect(stored).toContain('an unknown token');
  expect(stored.match(/.{40}(geheim\d|selec '|select '|orders set|postgres:).{9}/g)).toBeNull();
  expect(stored).not.toContain(token);
}, 60_000);
