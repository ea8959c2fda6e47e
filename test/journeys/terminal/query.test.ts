/**
 * `sallyport query` with the built daemon and bridge: a person's statement under the rules for AI
 * clients.
 */

import { afterEach, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { type ActivityHome, activityHome } from '../activity/home.ts';
import { followOnTerminal, missingForFollower } from './follower-on-terminal.ts';

let home: ActivityHome;
afterEach(() => home.clean());

test('a read is shown as a table or as JSON, a refused statement is reported, and the log has both under the name terminal', async () => {
  home = await activityHome();
  await home.run(['connections', 'set', 'Shop', '--external-clients', 'read-only']);
  const read = await home.here(['query', 'shop', 'select id, note, null as absent from orders']);
  expect(read).toMatchObject({ code: 0, stderr: expect.stringMatching(/^3 rows, [\d.]+ m?s\n$/) });
  expect(read.stdout).toBe('id  note   absent\n1   one    NULL\n2   two    NULL\n3   three  NULL\n');
  const sql = `select id, 'a, "b"' as x, '' as e, null as n from orders where id < 2`;
  const csv = await home.here(['query', 'Shop', sql, '--csv']);
  expect([csv.code, csv.stdout]).toEqual([0, 'id,x,e,n\r\n1,"a, ""b""","",\r\n']);
  expect((await home.here(['query', 'Shop', 'select 1', '--csv', '--json'])).code).toBe(2);
  expect(await home.json(['query', 'Shop', 'select note from orders where id = 2'])).toMatchObject({
    columns: [{ name: 'note', type: 'TEXT' }],
    rows: [['two']],
    row_count: 1,
    truncated: false,
  });
  expect(await home.here(['query', 'Shop', "update orders set note = 'x' where id = 1"])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Shop is read only for AI clients, and so for this command.'),
  });
  expect(await home.here(['query', 'Nowhere', 'select 1'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sallyport: No connection "Nowhere" is open to AI clients/),
  });
  // A model reads separate lines; here they are sentences in a row.
  const misspelt = await home.here(['query', 'Shop', 'select nott from orders']);
  expect(misspelt.stderr).toMatch(/^sallyport: query_failed: no such column: nott\. .*Did you mean note\?/);
  expect(misspelt.stderr).not.toContain('u{a}');
  expect(await home.here(['query', 'Shop'])).toMatchObject({ code: 2 });
  const rows = await home.rows('--category', 'query');
  expect(rows.map(({ client, outcome }) => [client, outcome])).toEqual([
    ['terminal', 'success'],
    ['terminal', 'success'],
    ['terminal', 'success'],
    ['terminal', 'denied'],
    ['terminal', 'error'],
  ]);
}, 60_000);

test('more rows than fit into one answer come in several, and `--max-rows` sets the maximum', async () => {
  home = await activityHome();
  const wide = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)
    select i, printf('%.*c', 3000, 'x') as x from n`;
  const { rows, truncated } = await home.json<{ rows: [number, string][]; truncated: boolean }>([
    ...['query', 'Shop', wide, '--max-rows', '4000'],
  ]);
  expect([rows.length, rows.at(-1)?.[0], truncated]).toEqual([4_000, 4_000, false]);
  const cut = await home.here(['query', 'Shop', 'select id from orders', '--max-rows', '2']);
  expect([cut.stdout, cut.stderr]).toEqual([
    'id\n1\n2\n',
    expect.stringMatching(/^2 rows, [\d.]+ m?s\nThere are more rows; --max-rows/),
  ]);
  // No argument raises the owner's limit.
  await home.run(['settings', 'set', 'results.maxRows', '2']);
  const most = await home.here(['query', 'Shop', 'select id from orders', '--max-rows', '3']);
  expect(most.stderr).toMatch(/^2 rows, [\d.]+ m?s\nThere are more rows than the setting results\.maxRows allows\.$/m);
  const { truncated_because } = await home.json<{ truncated_because: string }>([
    ...['query', 'Shop', 'select id from orders', '--max-rows', '3'],
  ]);
  expect(truncated_because).toMatch(/^More rows exist than a call may have\./);
  expect(truncated_because).not.toContain('max_rows');
}, 60_000);

test('no call exceeds the connection’s limits', async () => {
  home = await activityHome();
  await home.here(['connections', 'set', 'Shop', '--row-limit', '2', '--timeout', '1']);
  const rows = ['query', 'Shop', 'select id from orders'];
  expect((await home.here([...rows, '--max-rows', '3'])).stderr).toMatch(
    /^2 rows, [\d.]+ m?s\nThere are more rows than the connection allows; `sallyport connections set Shop --row-limit N`/m,
  );
  expect((await home.here([...rows, '--max-rows', '1'])).stderr).toContain('--max-rows N shows more of them.');
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
  expect(await home.here(['query', 'Shop', endless, '--timeout', '60'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'The statement was stopped after 1 s, and nothing of it stays. Ask for less: no call may take longer.',
    ),
  });
  const { token } = await home.mint('Reader');
  const { json } = await home.call(token, 'export_data', { connection: 'Shop', sql: endless, format: 'csv' });
  expect(JSON.stringify(json.result)).toContain('The statement was stopped after 1 s');
}, 60_000);

needs(missingForFollower()).test(
  'a write runs if the level allows it, after an approval if one is needed; an interrupt stops it',
  async () => {
    home = await activityHome();
    await home.run(['connections', 'set', 'Shop', '--ai-policy', 'ask']);
    const follower = await followOnTerminal(home);
    const write = home.here(['query', 'Shop', "update orders set note = 'changed' where id = 1"]);
    let id = '';
    await until(async () => {
      const [question] = await home.json<{ id: string; client: string }[]>(['allow']);
      id = question?.id ?? '';
      return question?.client === 'terminal';
    }, 'the question is open');
    await home.run(['allow', 'yes', id]);
    expect(await write).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^1 row changed, [\d.]+ m?s\n$/),
    });
    await follower.end();
    const database = new SqliteFile(home.shop, { readOnly: true });
    expect(database.value('select note from orders where id = 1')).toBe('changed');
    database.close();

    await home.run(['connections', 'set', 'Shop', '--ai-policy', 'always']);
    const endless = home.spawn([
      ...['query', 'Shop', 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'],
    ]);
    await until(async () => {
      const { clients } = await home.json<{ clients: { client: string; openRequests: number }[] }>(['status']);
      return clients.some(({ client, openRequests }) => client === 'terminal' && openRequests > 0);
    }, 'the statement runs');
    endless.kill('SIGINT');
    await until(
      async () => (await home.rows('--category', 'query')).at(-1)?.outcome === 'error',
      'the statement was stopped',
    );
  },
  60_000,
);
