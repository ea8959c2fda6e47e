/**
 * Resources, prompts and completion of a real daemon: over HTTP in both eras and through the
 * bridge, on a test schema.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { legacy as bridgeLegacy, modern as bridgeModern } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { legacy, openSession, type Reply, send, modern as wireModern } from '../http/wire.ts';

let home: RealHome;
let token: string;
let url: string;
let shop: string;
const root = 'sallyport://connections';

beforeAll(async () => {
  home = new RealHome();
  const json = async (...words: string[]) => JSON.parse(await home.here(...words, '--json'));
  await json('start');
  await json('settings', 'set', 'limits.requestsPerMinute', '0');
  const file = `${home.folder}/shop.db`;
  const database = new SqliteFile(file);
  database.exec('create table customers (id integer primary key, name text not null, city text)');
  database.exec(
    'create table orders (id integer primary key, customer_id integer references customers (id), total real)',
  );
  database.exec('create table "odd name/é?" (id integer primary key)');
  database.exec('create table aa_refunds (id integer primary key, amount real)');
  database.exec(`create view book as select id, '${'😀'.repeat(200_000)}' as page from orders`);
  for (let at = 0; at < 150; at++) database.exec(`create table wide_${at} (${columns(at)})`);
  database.close();
  shop = (await json('connections', 'add', file, '--name', 'Shop')).id;
  await json('connections', 'add', file, '--name', 'Asks', '--ai-policy', 'ask');
  ({ token } = await json('tokens', 'mint', '--name', 'reader', '--scope', 'read-only'));
  url = `http://127.0.0.1:${home.handshake()?.port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const columns = (at: number): string =>
  Array.from({ length: 12 }, (_, n) => `column_${at}_${n} text not null`).join(', ');

async function ask(method: string, params: Record<string, unknown> = {}, asker = token): Promise<Reply> {
  return (await send(url, wireModern(asker, method, params))).json;
}

type Contents = readonly { readonly uri: string; readonly mimeType: string; readonly text: string }[];

async function read(uri: string): Promise<{ readonly text: string; readonly json: Record<string, unknown> }> {
  const { result, error } = await ask('resources/read', { uri });
  if (result === undefined) throw new Error(error?.message);
  const [content] = [result.contents].flat() as Contents;
  expect(content).toMatchObject({ uri, mimeType: 'application/json' });
  return { text: content?.text ?? '', json: JSON.parse(content?.text ?? '') };
}

const uris = (listed: unknown) => (listed as readonly { readonly uri: string }[]).map(({ uri }) => uri);

describe('an argument that is null counts as not given', () => {
  const page = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

  test.each(page.flatMap(method => [null, '', []].map(cursor => [method, cursor] as const)))(
    '%s with the cursor %j is the first page, in both eras and over the bridge',
    async (method, cursor) => {
      const first = await ask(method);
      expect(first.result).toBeDefined();
      expect((await ask(method, { cursor })).result).toEqual(first.result);
      const session = await openSession(url, token);
      const older = { jsonrpc: '2.0', id: 2, method, params: { cursor } };
      expect((await send(url, legacy(token, older, session))).json.error).toBeUndefined();
    },
  );

  test.each(page.flatMap(method => [5, {}, ['x'], true].map(cursor => [method, cursor] as const)))(
    '%s with the cursor %j is told what it needs, in both eras',
    async (method, cursor) => {
      const told = { code: -32602, message: `${method} needs a cursor that Sallyport gave, or none.` };
      expect((await ask(method, { cursor })).error).toMatchObject(told);
      const older = legacy(token, { jsonrpc: '2.0', id: 2, method, params: { cursor } }, await openSession(url, token));
      expect((await send(url, older)).json.error).toMatchObject(told);
    },
  );

  test('a prompt, a completion and a resource', async () => {
    const prompt = { name: 'explain_schema', arguments: { connection: 'Shop', schema: null } };
    expect((await ask('prompts/get', prompt)).result?.messages).toHaveLength(1);
    const lacking = await ask('prompts/get', { name: 'explain_schema', arguments: { connection: null } });
    expect(lacking.error?.message).toBe('explain_schema needs connection.');
    expect((await ask('prompts/get', { name: 'explain_schema', arguments: null })).error?.message).toBe(
      'explain_schema needs connection.',
    );
    const argument = { ref: { type: 'ref/prompt', name: 'explain_table' }, argument: { name: 'table', value: 'ord' } };
    const beside = { context: { arguments: { connection: 'Shop', schema: null } } };
    expect((await ask('completion/complete', { ...argument, ...beside })).result?.completion).toMatchObject({
      values: ['orders'],
    });
    for (const context of [null, { arguments: null }])
      expect((await ask('completion/complete', { ...argument, context })).result?.completion).toMatchObject({
        values: [],
      });
    expect((await read(`${root}/Shop/tables?schema=`)).json).toHaveProperty('total');
  });
});

describe('resources', () => {
  test('the list names what may be read, with hints for caches, and nothing of a connection that waits for an approval', async () => {
    const { result } = await ask('resources/list');
    expect(uris(result?.resources)).toEqual([
      root,
      ...['schema', 'tables', 'history'].map(list => `${root}/${shop}/${list}`),
    ]);
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
    const templates = await ask('resources/templates/list');
    expect(templates.result?.resourceTemplates).toHaveLength(5);
    expect(templates.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
  });

  test('each holds its tool’s answer, by id as by name', async () => {
    expect((await read(root)).text).toContain('"Shop"');
    const table = await read(`${root}/${shop}/tables/orders`);
    const called = await ask('tools/call', {
      name: 'describe_table',
      arguments: { connection: shop, table: 'orders' },
    });
    expect(table.json).toEqual(called.result?.structuredContent);
    expect((await read(`${root}/Shop/tables/orders`)).text).toBe(table.text);
    expect((await read(`${root}/Shop/tables/orders/ddl`)).json).toMatchObject({
      tables: [{ ddl: expect.stringMatching(/create table orders/i) }],
    });
    expect((await read(`${root}/Shop/tables/${encodeURIComponent('odd name/é?')}`)).text).toContain('odd name/é?');
    expect((await read(`${root}/Shop/tables`)).text).toContain('customers');
    expect((await read(`${root}/Shop/history?limit=5&search=select`)).json).toMatchObject({ statements: [] });
  });

  test('a schema larger than an answer is cut to one, and says how to get the rest', async () => {
    const { text, json } = await read(`${root}/Shop/schema`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24 * 1024);
    expect(json).toMatchObject({ total: 155, note: expect.stringContaining('describe_table') });
    const { tables, not_described: others } = json as { tables: unknown[]; not_described: unknown[] };
    expect(tables.length).toBeGreaterThan(10);
    expect(tables.length + others.length).toBe(155);
  });

  test('a view as long as a book comes with its beginning, a table beside it in full', async () => {
    const words = { connection: 'Shop', tables: ['book', 'customers'] };
    const { result } = await ask('tools/call', { name: 'describe_table', arguments: words });
    const { cut, tables } = (result?.structuredContent ?? {}) as { cut: string; tables: Record<string, string>[] };
    expect(Buffer.byteLength(JSON.stringify(result?.structuredContent))).toBeLessThanOrEqual(256 * 1024);
    expect(cut).toContain('describe fewer tables');
    expect(tables.map(({ name }) => name)).toEqual(['book', 'customers']);
    expect(tables[0]?.definition).toMatch(/^CREATE VIEW book as select id, '(?:😀){10000,}$/u);
    const { text, json } = await read(`${root}/Shop/tables/book`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24 * 1024);
    expect(json).toMatchObject({ cut: expect.stringContaining('describe_table'), tables: [{ name: 'book' }] });
  });

  test('a wide table comes with all statements, though its description is longer than an answer', async () => {
    const file = `${home.folder}/broad.db`;
    const broad = new SqliteFile(file);
    const sql = `CREATE TABLE broad (${Array.from({ length: 700 }, (_, at) => `column_${at} text not null`).join(', ')})`;
    broad.exec(sql);
    broad.close();
    await home.here('connections', 'add', file, '--name', 'Broad');
    const words = { connection: 'Broad', table: 'broad', include_ddl: true };
    const { result } = await ask('tools/call', { name: 'describe_table', arguments: words });
    const ddl = await read(`${root}/Broad/tables/broad/ddl`);
    await home.here('connections', 'remove', 'Broad');
    expect(Buffer.byteLength(JSON.stringify(result?.structuredContent))).toBeGreaterThan(24 * 1024);
    expect(ddl.json).toEqual({ tables: [{ name: 'broad', ddl: expect.stringContaining(sql) }] });
  });

  test('an argument that a client left empty in the address counts as not given', async () => {
    for (const [address, query] of [
      ['schema', 'schema=&database='],
      ['tables/orders', 'schema=&database='],
      ['tables/orders', 'schema=main&database='],
      ['history', 'limit=&search='],
    ])
      expect((await read(`${root}/Shop/${address}?${query}`)).text).toBe((await read(`${root}/Shop/${address}`)).text);
  });

  test('a cut text ends with a whole character', async () => {
    const faces = `${home.folder}/faces.db`;
    const smiling = new SqliteFile(faces);
    // Wherever the text is cut, one of these has half a character there.
    for (const [name, before] of [
      ['smiling', ''],
      ['smile', 'x'],
    ])
      smiling.exec(`create table ${name} ( -- ${before}${'😀'.repeat(400)}
        id integer primary key, -- ${name} ${before}${'😀'.repeat(400)}
        n integer)`);
    smiling.close();
    await home.here('connections', 'add', faces, '--name', 'Faces');
    const cuts = [];
    for (const word of ['smiling', 'smile']) {
      for (const [name, args] of [
        ['list_tables', { search: word }],
        ['list_tables', { limit: 50, kind: 'table' }],
        ['describe_table', { table: word, include_ddl: false }],
      ] as const) {
        const { result } = await ask('tools/call', { name, arguments: { connection: 'Faces', ...args } });
        cuts.push(JSON.stringify(result?.structuredContent));
      }
    }
    await home.here('connections', 'remove', 'Faces');
    // JSON writes half a surrogate pair as an escape.
    for (const cut of cuts) expect(cut).not.toMatch(/\\ud[89a-f]/i);
    expect(cuts.join('').match(/😀…/gu)?.length).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ['sallyport://elsewhere', 'There is no such resource'],
    [`${root}/Shop/tables/order`, 'did you mean'],
    [`${root}/Shop/schema?other=1`, `Did you mean ${root}/Shop/schema{?schema,database}?`],
    ['sallyport://conections', `Did you mean ${root}?`],
    [`${root}/My/tabels`, `Did you mean ${root}/My/tables?`],
    [`${root}/Shop/tabels`, `Did you mean ${root}/Shop/tables?`],
    [`${root}/Shop/table/orders`, `Did you mean ${root}/Shop/tables/orders?`],
    [`${root}/Shop/tables/orders/dll`, `Did you mean ${root}/Shop/tables/orders/ddl?`],
    [`${root}/Shop/nothing`, 'There is no such resource; resources/templates/list'],
    [`${root}/Shop/schema?schema=a&schema=b`, 'There is no such resource'],
    [`${root}/Shop/schema?other=`, `Did you mean ${root}/Shop/schema{?schema,database}?`],
    [`${root}/%zz/schema`, 'There is no such resource'],
    [`file:///etc/passwd`, 'There is no such resource'],
  ])('%s doesn’t exist', async (uri, message) => {
    const { error } = await ask('resources/read', { uri });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(message), data: { uri } });
  });

  test('a connection that waits for an approval isn’t read if nobody can be asked', async () => {
    const { error } = await ask('resources/read', { uri: `${root}/Asks/schema` });
    expect(error?.code).toBe(-33007);
  });

  test('each read is a row of its own category', async () => {
    await read(`${root}/Shop/tables/orders`);
    await ask('resources/read', { uri: `${root}/Nowhere/tables` });
    const rows = (await home.here('activity', '--category', 'resource', '--json')).trim();
    expect(rows).toContain('"table"');
    expect(rows).toContain('"denied"');
  });

  test('cursors: of 40 connections the second page follows the first, only for the client that got the cursor', async () => {
    for (let at = 0; at < 40; at++) {
      await home.here('connections', 'add', `${home.folder}/n${at}.db`, '--name', `N${at}`, '--create');
    }
    const first = await ask('resources/list');
    const cursor = String(first.result?.nextCursor);
    const second = await ask('resources/list', { cursor });
    expect(first.result?.resources).toHaveLength(100);
    expect(second.result?.resources).toHaveLength(24);
    expect(second.result?.nextCursor).toBeUndefined();
    const minted = JSON.parse(await home.here('tokens', 'mint', '--name', 'other', '--json'));
    const strangers = [
      ['resources/list', cursor, minted.token],
      ['resources/list', cursor.replace('100', '101'), token],
      ['resources/list', `${cursor.slice(0, -1)}_`, token],
      ['resources/templates/list', cursor, token],
      ['prompts/list', cursor, token],
      ['tools/list', cursor, token],
    ] as const;
    for (const [method, given, asker] of strangers) {
      expect((await ask(method, { cursor: given }, asker)).error?.code).toBe(-32602);
    }
  }, 60_000);
});

describe('prompts', () => {
  const get = (name: string, args: Record<string, unknown>) => ask('prompts/get', { name, arguments: args });

  test('each includes the tables it needs', async () => {
    const { result } = await ask('prompts/list');
    const names = ['explain_schema', 'explain_table', 'question_to_sql'];
    expect(result?.prompts).toMatchObject(names.map(name => ({ name })));
    for (const name of names) {
      const more =
        name === 'explain_table' ? { table: 'orders' } : name === 'question_to_sql' ? { question: 'Who?' } : {};
      const got = await get(name, { connection: 'Shop', ...more });
      expect(JSON.stringify(got.result?.messages)).toContain('customer_id');
    }
  });

  const described = async (name: string, args: Record<string, unknown>): Promise<readonly string[]> => {
    const { result } = await get(name, { connection: 'Shop', ...args });
    const [message] = (result?.messages ?? []) as readonly { content: { text: string } }[];
    const text = message?.content.text ?? '';
    const { tables } = JSON.parse(text.slice(text.indexOf('\n{') + 1));
    return tables.map((table: { name: string }) => table.name);
  };

  test('a question includes the tables that it mentions, however many exist', async () => {
    const question = 'How much was refunded to each of our customers, in refunds less than 5?';
    expect(await described('question_to_sql', { question })).toEqual(['aa_refunds', 'customers', 'orders']);
    const other = await described('question_to_sql', { question: 'What is the sum of everything we have?' });
    expect(other.length).toBeGreaterThan(10);
  });

  test('a large schema starts with the tables that others refer to', async () => {
    expect((await described('explain_schema', {})).slice(0, 2)).toEqual(['customers', 'orders']);
  });

  test.each([
    ['nonsense', { connection: 'Shop' }, 'explain_schema, explain_table'],
    ['explain_table', { connection: 'Shop' }, 'needs table'],
    ['explain_schema', {}, 'needs connection'],
    ['explain_schema', { connection: 'Shop', other: 'x' }, 'takes connection, schema'],
    ['explain_table', { connection: 'Shop', table: 'order' }, 'did you mean'],
  ])('%s %j is refused with what is wrong', async (name, args, message) => {
    expect((await get(name, args)).error).toMatchObject({ code: -32602, message: expect.stringContaining(message) });
  });
});

test.each([
  ['resources/read', {}, 'needs the uri of a resource'],
  ['resources/read', { uri: 7 }, 'needs the uri'],
  ['prompts/get', {}, 'needs the name of a prompt'],
  [
    'prompts/get',
    { name: 'explain_schema', arguments: { connection: 7 } },
    'needs the name of a prompt, and its arguments as an object of texts',
  ],
  ['completion/complete', {}, 'needs a ref to a prompt or a template'],
])('%s with %j is told what it needs, in every era', async (method, params, message) => {
  const refused = { code: -32602, message: expect.stringContaining(`${method} ${message}`) };
  expect((await ask(method, params)).error).toEqual(refused);
  const session = await openSession(url, token);
  const old = await send(url, legacy(token, { jsonrpc: '2.0', id: 2, method, params }, session));
  expect(old.json.error).toEqual(refused);
  expect((await home.bridge().ask(bridgeLegacy(3, method, params))).error).toEqual(refused);
});

describe('completion', () => {
  const complete = async (ref: object, name: string, value: string, chosen: Record<string, string> = {}) => {
    const params = { ref, argument: { name, value }, context: { arguments: chosen } };
    const { result, error } = await ask('completion/complete', params);
    if (error !== undefined) throw new Error(error.message);
    return result?.completion as { values: string[]; total: number; hasMore: boolean };
  };
  const prompt = { type: 'ref/prompt', name: 'explain_table' };
  const template = { type: 'ref/resource', uri: `${root}/{connection}/tables/{table}{?schema,database}` };

  test('matches at the beginning come first, similar names after', async () => {
    expect((await complete(prompt, 'connection', 'sh')).values[0]).toBe('Shop');
    expect((await complete(template, 'connection', 'Shpo')).values[0]).toBe('Shop');
    expect((await complete(prompt, 'table', 'cust', { connection: 'Shop', schema: 'main' })).values).toEqual([
      'customers',
    ]);
    expect((await complete(template, 'table', 'ordres', { connection: shop, schema: 'main' })).values).toEqual([
      'orders',
    ]);
    expect((await complete(template, 'schema', '', { connection: shop })).values).toContain('main');
  });

  test('at most a hundred, and how many there are', async () => {
    const found = await complete(prompt, 'table', '', { connection: 'Shop' });
    expect(found).toMatchObject({ total: 155, hasMore: true });
    expect(found.values).toHaveLength(100);
  });

  test('nothing of a connection that waits for an approval, is unknown or wasn’t named', async () => {
    for (const chosen of [{ connection: 'Asks' }, { connection: 'Nowhere' }, {}]) {
      expect(await complete(prompt, 'table', '', chosen)).toEqual({ values: [], total: 0, hasMore: false });
    }
    await expect(complete(prompt, 'other', '')).rejects.toThrow('takes connection');
    await expect(complete({ type: 'ref/prompt', name: 'none' }, 'table', '')).rejects.toThrow('no such prompt');
  });
});

test('the 2025 revisions get the same, in a session and through the bridge', async () => {
  const session = await openSession(url, token);
  const uri = `${root}/Shop/tables/orders`;
  const modern = await read(uri);
  const old = async (id: number, asked: string) => {
    const message = { jsonrpc: '2.0', id, method: 'resources/read', params: { uri: asked } };
    return (await send(url, legacy(token, message, session))).json;
  };
  expect((await old(2, uri)).result?.contents).toEqual([{ uri, mimeType: 'application/json', text: modern.text }]);
  expect((await old(3, 'sallyport://x')).error?.code).toBe(-32602);
  const bridge = home.bridge();
  const bridged = await bridge.ask(bridgeModern(1, 'resources/read', { uri }));
  expect(bridged.result).toMatchObject({ contents: [{ uri, text: modern.text }] });
  const older = await bridge.ask(
    bridgeLegacy(2, 'prompts/get', { name: 'explain_schema', arguments: { connection: 'Shop' } }),
  );
  expect(JSON.stringify(older.result)).toContain('customer_id');
});
