/**
 * Threat: an answer tells an agent with a shell how to get more access, and the agent types it. The
 * tests ask the built daemon for everything that exists and everything that is refused, over HTTP
 * with a token of each scope and over the bridge. No answer names a command, an option or a
 * setting, and none sends a client to a tool that it lacks.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BridgeProcess, modern as bridgeModern, legacy } from '../bridge/bridge-process.ts';
import { bridgeCommand } from '../bridge/real-home.ts';
import { modern, type Sending, send } from '../clients/http/wire.ts';
import { type ActivityHome, activityHome } from '../journeys/activity/home.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { harmless, textsIn, waysToGetMore } from './ways-to-get-more.ts';

type Ask = (method: string, params: Record<string, unknown>) => Promise<unknown>;

const scopes = ['read-only', 'read-write', 'full-access'] as const;
const everyTool = [
  ...['list_connections', 'list_tables', 'describe_table', 'execute_query', 'fetch_rows', 'export_data'],
  ...['preview_write', 'confirm_destructive_operation', 'search_query_history'],
];

let home: ActivityHome;
let url: string;
const tokens = new Map<string, string>();
const bridges: BridgeProcess[] = [];

const overHttp = (token: string): Ask => {
  return async (method, params) => (await send(url, modern(token, method, params))).json;
};

function overBridge(): Ask {
  const bridge = new BridgeProcess([bridgeCommand], home.home, { HOME: home.folder });
  bridges.push(bridge);
  let id = 0;
  return (method, params) => bridge.ask(bridgeModern(++id, method, params));
}

const setting = (key: string, value: string) => home.here(['settings', 'set', key, value]);

beforeAll(async () => {
  home = await activityHome();
  const database = new SqliteFile(home.shop);
  database.exec(`create table many (n integer);
    insert into many with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i from n;
    create table wide (t text);
    insert into wide values (printf('%.*c', 200000, 'x'));`);
  database.close();
  const add = (name: string, ...words: string[]) =>
    home.json(['connections', 'add', `${home.folder}/${name}.db`, '--name', name, '--create', ...words]);
  await add('Reader');
  await add('Asked', '--ai-policy', 'ask', '--external-clients', 'read-write');
  await add('Asked too', '--ai-policy', 'ask');
  await add('Blocked', '--external-clients', 'blocked');
  await add('Few', '--external-clients', 'read-write');
  await home.json(['connections', 'add', 'postgres://u@127.0.0.1:1/d', '--name', 'Away', '--tls', 'verify-full']);
  await setting('limits.requestsPerMinute', '0');
  await setting('writes.maxRows', '100');
  await setting('results.maxRows', '1000');
  await setting('results.maxBytes', '2048');
  await setting('results.maxCellBytes', '1024');
  await home.here(['connections', 'set', 'Few', '--row-limit', '1']);
  for (const scope of scopes) {
    const words = ['--scope', scope, ...(scope === 'full-access' ? ['--confirm-in-client'] : [])];
    tokens.set(scope, (await home.mint(scope, ...words)).token);
  }
  tokens.set('none', (await home.mint('none', '--connections', 'Blocked')).token);
  url = `http://127.0.0.1:${(await home.json<{ port: number }>(['status'])).port}/mcp`;
}, 60_000);
afterAll(async () => {
  for (const bridge of bridges) await bridge.stop();
  await home.clean();
});

const shop = { connection: 'Shop' };
const statements: readonly string[] = [
  'select id from orders',
  'select n from many',
  'select * from wide',
  'selekt 1',
  'select nott from orders',
  "update orders set note = 'x' where id = 1",
  'update many set n = 1 where n > 1',
  'delete from many where n > 0',
  'delete from orders',
  'drop table orders',
  'truncate orders',
  'attach database "x.db" as x',
  "select load_extension('x')",
  'vacuum',
  'pragma user_version = 3',
  'create table made (n integer)',
  'select 1; select 2',
];

/** What a client can ask for and be refused. */
const calls: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['list_connections', {}],
  ['list_tables', shop],
  ['list_tables', { ...shop, search: 'nothing' }],
  ['list_tables', { ...shop, schema: 'nowhere' }],
  ['list_tables', { ...shop, cursor: 'x' }],
  ['describe_table', { ...shop, tables: ['orders', 'nothing'], include_values: true, include_sample: true }],
  ['describe_table', { ...shop, table: 'wide', include_sample: true, include_ddl: true }],
  ['describe_table', shop],
  ['fetch_rows', { cursor: 'x' }],
  ['export_data', { ...shop, table: 'wide', format: 'csv', file_name: 'wide' }],
  ['export_data', { ...shop, sql: 'delete from orders where id = 1', format: 'csv' }],
  ['search_query_history', {}],
  ['search_query_history', { since: 'yesterday' }],
  ['execute_query', { ...shop, sql: 'select n from many', max_rows: 2 }],
  ['execute_query', { ...shop, sql: 'select n from many', max_rows: 10_000, max_bytes: 8_388_608 }],
  ['execute_query', { ...shop, sql: 'select 1', max_rows: 99_999, timeout_seconds: 999 }],
  ['execute_query', { ...shop, sql: 'select 1', database: 'elsewhere', schema: 'elsewhere' }],
  ['execute_query', { connection: 'Few', sql: 'select 1 union all select 2' }],
  ['execute_query', { connection: 'Away', sql: 'select 1' }],
  ['execute_query', { connection: 'Asked', sql: 'select 1' }],
  ['execute_query', { connection: 'Blocked', sql: 'select 1' }],
  ['execute_query', { connection: 'Nowhere', sql: 'select 1' }],
  ['execute_query', { connection: 'Nowhere', sql: 'select 1', wrong: 1 }],
  ['no_such_tool', {}],
  ...statements.flatMap(sql => [
    ['execute_query', { ...shop, sql }] as const,
    ['execute_query', { connection: 'Reader', sql }] as const,
  ]),
];

/** Calls that not every token may make. */
const widerCalls: typeof calls = statements.flatMap(sql => [
  ['preview_write', { ...shop, sql }] as const,
  ['confirm_destructive_operation', { ...shop, sql }] as const,
  ['confirm_destructive_operation', { connection: 'Reader', sql }] as const,
  ['confirm_destructive_operation', { ...shop, sql: `${sql} -- ${'x'.repeat(5_000)}` }] as const,
]);

const root = 'sallyport://connections';
const requests: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/list', { cursor: 'x' }],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['nothing/at-all', {}],
  ['prompts/get', { name: 'nothing' }],
  ...['Shop', 'Reader', 'Away', 'Asked', 'Blocked'].flatMap(connection => [
    ['prompts/get', { name: 'explain_schema', arguments: { connection } }] as const,
    ['prompts/get', { name: 'explain_table', arguments: { connection, table: 'orders' } }] as const,
    ['prompts/get', { name: 'question_to_sql', arguments: { connection, question: 'Who?' } }] as const,
    ['resources/read', { uri: `${root}/${connection}/schema` }] as const,
    ['resources/read', { uri: `${root}/${connection}/tables/orders` }] as const,
    ['resources/read', { uri: `${root}/${connection}/history` }] as const,
  ]),
  ['resources/read', { uri: root }],
  ['resources/read', { uri: 'sallyport://nothing' }],
];

/** Our own schemes and names are no commands. */
const waysIn = (answer: unknown, allowed: readonly string[] = []): string[] =>
  textsIn(answer).flatMap(text => waysToGetMore(text, allowed));

async function toolsOf(ask: Ask): Promise<readonly string[]> {
  const { result } = (await ask('tools/list', {})) as { result: { tools: readonly { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

async function expectNothing(ask: Ask): Promise<void> {
  const has = await toolsOf(ask);
  const lacks = everyTool.filter(name => !has.includes(name));
  const wider = widerCalls.filter(([tool]) => has.includes(tool));
  const asked = [
    ...requests,
    ...[...calls, ...wider].map(([name, args]) => ['tools/call', { name, arguments: args }] as const),
  ];
  const found: unknown[] = [];
  let refusals = 0;
  for (const [method, params] of asked) {
    const answer = await ask(method, params);
    const text = JSON.stringify(answer);
    if (text.includes('"isError":true') || text.includes('"error":')) refusals += 1;
    for (const way of waysIn(answer)) found.push([way, method, params, text]);
    // A client's history holds its own statements, whoever wrote them.
    for (const tool of lacks) if (text.includes(tool)) found.push([tool, method, params, text]);
  }
  expect(found).toEqual([]);
  expect(refusals).toBeGreaterThan(20);
  for (const tool of lacks) {
    const answer = await ask('tools/call', { name: tool, arguments: { ...shop, sql: 'drop table orders' } });
    expect([waysIn(answer), answer]).toMatchObject([[], { result: { isError: true } }]);
  }
}

describe('nothing that a client reads says how to get more access', () => {
  test.each(scopes)(
    'over HTTP, with a %s token',
    async scope => {
      await expectNothing(overHttp(tokens.get(scope) ?? ''));
    },
    60_000,
  );

  test('over the bridge', async () => {
    await expectNothing(overBridge());
  }, 60_000);

  test('if it may use no connection', async () => {
    const ask = overHttp(tokens.get('none') ?? '');
    for (const name of ['list_connections', 'list_tables']) {
      const given = name === 'list_connections' ? {} : shop;
      const answer = await ask('tools/call', { name, arguments: given });
      expect([waysIn(answer), JSON.stringify(answer)]).toEqual([
        [],
        expect.stringMatching(/no connection|No connection/),
      ]);
    }
  });

  test('if the HTTP server itself refuses, and at the exchange of a code', async () => {
    const token = tokens.get('read-only') ?? '';
    const whole = modern(token, 'tools/list');
    const { id, token: revoked } = await home.mint('Gone');
    await home.here(['tokens', 'revoke', id]);
    const sendings: readonly Sending[] = [
      { ...whole, headers: { ...whole.headers, Authorization: '' } },
      modern('sp_wrong', 'tools/list'),
      modern(revoked, 'tools/list'),
      { ...whole, method: 'GET' },
      { ...whole, body: '[]' },
      { ...whole, body: '{' },
      { ...whole, headers: { ...whole.headers, Origin: 'https://example.com' } },
      { ...whole, headers: { ...whole.headers, 'MCP-Protocol-Version': '1999-01-01' } },
      { path: '/elsewhere' },
      ...['{}', '{"code":"x","code_verifier":"y"}', `{"code":"x","code_verifier":"${'y'.repeat(50)}"}`].map(body => {
        return { path: '/v1/integrations/exchange', headers: { 'Content-Type': 'application/json' }, body };
      }),
    ];
    for (const sending of sendings) {
      const { status, text, headers } = await send(url, sending);
      expect([status, waysToGetMore(`${text} ${JSON.stringify(headers)}`)]).toEqual([status, []]);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });

  test('if Sallyport is paused, switched off or stopped', async () => {
    const bridge = new BridgeProcess([bridgeCommand], home.home, { HOME: home.folder });
    bridges.push(bridge);
    let id = 0;
    const expectRefused = async () => {
      for (const asked of [bridgeModern(++id, 'tools/list'), legacy(++id, 'tools/list')]) {
        const answer = await bridge.ask(asked);
        expect([waysIn(answer, harmless), answer]).toEqual([[], expect.objectContaining({ error: expect.anything() })]);
      }
      expect(waysToGetMore(bridge.stderr, harmless)).toEqual([]);
    };
    await home.here(['pause']);
    const { text, status } = await send(url, modern(tokens.get('read-only') ?? '', 'tools/list'));
    expect([status, waysToGetMore(text)]).toEqual([503, []]);
    await expectRefused();
    await home.here(['resume']);
    await setting('enabled', 'false');
    await expectRefused();
    await setting('enabled', 'true');
  }, 60_000);
});

describe('the owner at a terminal does read it, in the second person', () => {
  const said = async (...words: string[]) => (await home.here(['query', ...words])).stderr;

  // What the clients above were refused leaves no place for more.
  beforeAll(async () => {
    for (const { id } of await home.json<readonly { id: string }[]>(['allow'])) await home.here(['allow', 'no', id]);
  });

  test('a level, an approval and a limit', async () => {
    expect(await said('Reader', 'create table t (n integer)')).toMatch(
      /^sallyport: Reader is read only for AI clients, and so for this command\. .* `sallyport connections set Reader --external-clients read-write --for 1h` allows writing for an hour\.$/m,
    );
    expect(await said('Reader', 'drop table t')).toMatch(
      /destroys|removes data or schema for good\. On a terminal this command runs it, once you have typed your passphrase\.$/m,
    );
    const destructive = await said('Shop', 'drop table orders');
    expect(destructive).toMatch(
      /^sallyport: DROP .* It runs only once you approve it\. On a terminal this command runs it, once/,
    );
    expect(destructive).not.toMatch(/[Aa]sk the user|confirm_destructive_operation/);
    expect(await said('Shop', 'update many set n = 2 where n between 10 and 200')).toMatch(
      /^sallyport: Nothing was changed: .*`sallyport connections set Shop --write-row-limit N` allows more/,
    );
    expect(await said('Asked', 'select 1')).toMatch(
      /^sallyport: This needs your approval, so it waits; `sallyport allow` shows it\. Answer it, then run this again\.$/m,
    );
    expect((await home.here(['allow'])).stdout).toContain('Use this connection?');
    // A place for it is kept for nobody: too many wait.
    for (let asked = 0; asked < 6; asked += 1) await said('Reader', `create table t${asked} (n integer)`);
    expect(await said('Asked too', 'select 1')).toMatch(
      /^sallyport: This needs your approval, but it does not wait for it: too many requests do, .* `sallyport allow` shows what waits; answer some, then run this again\.$/m,
    );
    expect((await home.here(['allow'])).stdout).not.toContain('Asked too');
    expect(await said('Asked', 'delete from orders')).toMatch(
      /^sallyport: This waits for your answer; `sallyport allow` shows it\.$/m,
    );
    expect(await said('Blocked', 'select 1')).toMatch(
      /"Blocked" is open to AI clients, so it is not open to this command.*connections list`/,
    );
    expect(await said('Away', 'select 1')).toMatch(/`sallyport connections test Away` says more\.$/m);
  }, 60_000);

  test('a pause', async () => {
    await home.here(['pause']);
    expect(await said('Shop', 'select 1')).toContain('`sallyport resume` ends that.');
    await home.here(['resume']);
  });
});
