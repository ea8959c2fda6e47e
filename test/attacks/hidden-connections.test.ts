/**
 * Threat: a client learns which connections exist that it may not use. A blocked one, one kept from
 * AI, one outside the token's list and one that doesn't exist give the same bytes through every
 * tool, and no list or suggestion names them.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modern } from '../bridge/bridge-process.ts';
import { RealHome } from '../bridge/real-home.ts';
import { type Answer, send, modern as wireModern } from '../clients/http/wire.ts';
import { runHere } from '../shell-terminal/in-process.ts';
import { here } from '../waiting/limits.ts';

/** Equally long, and equally near to the names that clients may see. */
const hidden = ['Vault-1', 'Vault-2', 'Vault-3'] as const;
const neverWas = 'Vault-9';

let home: RealHome;
let token: string;
let url: string;
const ids = new Map<string, string>();

const sallyport = (...words: readonly string[]) => runHere(words, { environment: home.environment, cwd: home.folder });

beforeAll(async () => {
  home = new RealHome();
  const json = async (...words: string[]) => {
    const ran = await sallyport(...words, '--json');
    if (ran.code !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout);
  };
  home.sallyport('start');
  await json('settings', 'set', 'limits.requestsPerMinute', '0');
  const add = async (name: string, ...words: string[]) => {
    const file = `${home.folder}/${name}.db`;
    ids.set(name, (await json('connections', 'add', file, '--name', name, '--create', ...words)).id);
  };
  await add('Open-A', '--external-clients', 'read-write');
  await add('Open-B');
  await add(hidden[0], '--external-clients', 'blocked');
  await add(hidden[1], '--ai-policy', 'never');
  await add(hidden[2]);
  const words = ['tokens', 'mint', '--name', 't', '--scope', 'full-access'];
  ({ token } = await json(...words, '--connections', `Open-A,Open-B,${hidden[0]},${hidden[1]}`));
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const tools: readonly (readonly [string, Record<string, unknown>])[] = [
  ['list_tables', {}],
  ['list_tables', { include_row_counts: true, search: 'x', limit: 1 }],
  ['describe_table', { table: 'secret' }],
  ['execute_query', { sql: 'select 1' }],
  ['execute_query', { sql: 'drop table x' }],
  ['execute_query', { sql: 'not sql at all' }],
  ['execute_query', { sql: 'select 1', database: 'elsewhere', schema: 'elsewhere' }],
  ['preview_write', { sql: 'delete from x' }],
  ['preview_write', { sql: 'select 1' }],
  ['propose_changes', { statements: ['delete from x'], reason: 'x' }],
  ['search_query_history', {}],
  ['search_query_history', { query: 'secret' }],
  ['confirm_destructive_operation', { sql: 'drop table x' }],
  ['export_data', { table: 'secret', format: 'csv' }],
];

const call = (name: string, args: Record<string, unknown>, asker = token) =>
  send(url, wireModern(asker, 'tools/call', { name, arguments: args }));

const textOf = ({ json }: Answer): string => json.error?.message ?? '';

/** Everything that a client can compare, without the name it asked for. */
function shape({ status, headers, text }: Answer, asked: string): unknown {
  const { date: _, ...rest } = headers;
  return { status, headers: { ...rest, 'content-length': '' }, text: text.replaceAll(asked, 'ASKED') };
}

describe.each(tools)('%s %j', (tool, args) => {
  test('the same bytes for each connection it may not use, by name, by id and in any case', async () => {
    const unknown = await call(tool, { ...args, connection: neverWas });
    expect(unknown).toMatchObject({ status: 200, json: { error: { code: -33007 } } });
    expect(textOf(unknown)).toBe('Use "Open-A" or "Open-B": no connection "Vault-9" is available to this client.');
    expect(unknown.text).not.toMatch(/Vault-[123]/);
    for (const name of hidden) {
      const answer = await call(tool, { ...args, connection: name });
      expect(shape(answer, name)).toEqual(shape(unknown, neverWas));
      const upper = await call(tool, { ...args, connection: name.toUpperCase() });
      const unknownUpper = await call(tool, { ...args, connection: neverWas.toUpperCase() });
      expect(shape(upper, name.toUpperCase())).toEqual(shape(unknownUpper, neverWas.toUpperCase()));

      // Ids differ in how near they are to a name. So the test compares which names come, not their
      // order.
      const id = ids.get(name) ?? '';
      const byId = await call(tool, { ...args, connection: id });
      const noId = await call(tool, { ...args, connection: '00000000-0000-4000-8000-000000000000' });
      const told = (answer: Answer, asked: string) => [
        answer.json.error?.code,
        ...[...textOf(answer).replaceAll(asked, 'ASKED')].toSorted(),
      ];
      expect(told(byId, id)).toEqual(told(noId, '00000000-0000-4000-8000-000000000000'));
    }
  });
});

const root = 'sallyport://connections';
type Asking = readonly [string, (connection: string) => Record<string, unknown>];
const reads: readonly Asking[] = [
  ['resources/read', name => ({ uri: `${root}/${name}/schema` })],
  ['resources/read', name => ({ uri: `${root}/${name}/tables` })],
  ['resources/read', name => ({ uri: `${root}/${name}/tables/secret` })],
  ['resources/read', name => ({ uri: `${root}/${name}/tables/secret/ddl` })],
  ['resources/read', name => ({ uri: `${root}/${name}/history` })],
  ['prompts/get', connection => ({ name: 'explain_schema', arguments: { connection } })],
  ['prompts/get', connection => ({ name: 'explain_table', arguments: { connection, table: 'secret' } })],
  ['prompts/get', connection => ({ name: 'question_to_sql', arguments: { connection, question: 'Who?' } })],
];
const completions: readonly Asking[] = ['schema', 'table', 'database'].map(name => [
  'completion/complete',
  connection => ({
    ref: { type: 'ref/resource', uri: `${root}/{connection}/tables/{table}{?schema,database}` },
    argument: { name, value: '' },
    context: { arguments: { connection } },
  }),
]);

test('a resource is refused as a call is', async () => {
  const { json } = await send(url, wireModern(token, 'resources/read', { uri: `${root}/${neverWas}/schema` }));
  const called = await call('list_tables', { connection: neverWas });
  expect(json.error).toEqual({ code: -33007, message: textOf(called), data: { reason: 'connection_unavailable' } });
  expect(called.json.error).toEqual(json.error);
});

test.each([...reads, ...completions])('%s (%#): the same bytes too', async (method, paramsFor) => {
  const ask = async (name: string) => {
    const answer = await send(url, wireModern(token, method, paramsFor(name)));
    return { answer, shape: shape(answer, name) };
  };
  const unknown = await ask(neverWas);
  if (method === 'completion/complete') expect(unknown.answer.json.result?.completion).toMatchObject({ values: [] });
  else expect(unknown.answer.json.error?.code).toBe(-33007);
  for (const name of hidden) expect((await ask(name)).shape).toEqual(unknown.shape);
});

test('no list, template, prompt or completion names one of them', async () => {
  const names = {
    ref: { type: 'ref/prompt', name: 'explain_schema' },
    argument: { name: 'connection', value: 'Vault' },
  };
  const askings: readonly (readonly [string, Record<string, unknown>])[] = [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: root }],
    ['resources/read', { uri: 'sallyport://connection/Vault-1' }],
    ['prompts/list', {}],
    ['completion/complete', names],
    ['completion/complete', { ...names, argument: { name: 'connection', value: '' } }],
  ];
  for (const [method, params] of askings) {
    const { text } = await send(url, wireModern(token, method, params));
    const asked = typeof params.uri === 'string' ? text.replaceAll(params.uri, 'ASKED') : text;
    expect(asked).not.toContain('Vault');
    for (const name of hidden) expect(asked).not.toContain(ids.get(name));
  }
});

test('the calls above include each tool that takes a connection', async () => {
  const { json } = await send(url, wireModern(token, 'tools/list'));
  const listed = json.result?.tools as readonly { name: string; inputSchema: { properties?: object } }[];
  const takes = listed.filter(({ inputSchema }) => 'connection' in (inputSchema.properties ?? {}));
  expect(takes.map(({ name }) => name).toSorted()).toEqual([...new Set(tools.map(([name]) => name))].toSorted());
});

test('nor does the time of the answer tell: hidden ones are like unknown ones', async () => {
  const rounds = 150;
  const took = new Map<string, number[]>([...hidden, neverWas, 'Vault-8'].map(name => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, times] of took) {
      const start = performance.now();
      await call('execute_query', { connection: name, sql: 'select 1' });
      times.push(performance.now() - start);
    }
  }
  const median = (name: string): number => (took.get(name) ?? []).toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
  // Opening or asking a database takes many milliseconds; reading a policy doesn't.
  for (const name of hidden) expect(Math.abs(median(name) - median(neverWas))).toBeLessThan(here(5));
}, 60_000);

test('a search of the list finds only usable connections, and answers the rest as if they didn’t exist', async () => {
  const found = async (search: unknown) => (await call('list_connections', { search })).json.result?.structuredContent;
  expect(await found('open b')).toMatchObject({ connections: [{ name: 'Open-B' }] });
  expect(await found('OPEN sqlite')).toMatchObject({ connections: [{ name: 'Open-A' }, { name: 'Open-B' }] });
  expect(await found(null)).toMatchObject({ connections: [{ name: 'Open-A' }, { name: 'Open-B' }] });
  const nothing = { connections: [], hint: expect.stringMatching(/^No connection that this client may use has all/) };
  for (const search of [...hidden, neverWas]) expect(await found(search)).toEqual(nothing);
});

test('the list holds only usable connections', async () => {
  const { text } = await call('list_connections', {});
  expect(text).toContain('Open-A');
  expect(text).not.toContain('Vault');
  for (const name of hidden) expect(text).not.toContain(ids.get(name));
});

test('the bridge, which no list restricts, doesn’t see the other two either', async () => {
  const bridge = home.bridge();
  const ask = async (id: number, connection: string) => {
    const params = { name: 'execute_query', arguments: { connection, sql: 'select 1' } };
    return JSON.stringify((await bridge.ask(modern(id, 'tools/call', params))).error).replaceAll(connection, 'ASKED');
  };
  const unknown = await ask(1, neverWas);
  expect(unknown).toContain('-33007');
  expect(await ask(2, hidden[0])).toBe(unknown);
  expect(await ask(3, hidden[1])).toBe(unknown);
});

test('a token for no connection at all sees none, and is told who can change that', async () => {
  const minted = await sallyport('tokens', 'mint', '--name', 'gone', '--connections', 'Open-B', '--json');
  await sallyport('connections', 'remove', 'Open-B');
  const { token: orphan } = JSON.parse(minted.stdout);
  expect((await call('list_connections', {}, orphan)).json.result?.structuredContent).toEqual({
    connections: [],
    hint: expect.stringMatching(/^This client may use no connection yet\./),
  });
  const refused = await call('execute_query', { connection: 'Open-A', sql: 'select 1' }, orphan);
  expect(refused.json.error?.code).toBe(-33007);
  expect(refused.json.error?.message).toBe(
    'Ask the user to allow a connection in Sallyport: no connection "Open-A" is available to this client, and no other.',
  );
});
