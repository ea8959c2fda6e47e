import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from './running-server.ts';
import { initialize, legacy, modern, openRaw, openSession, send, statusOf } from './wire.ts';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await runServer();
  token = await server.token();
});
afterAll(() => server.stop());

const everyVersion = ['2026-07-28', '2025-11-25', '2025-06-18'];

describe('bodies that are no message: each gets its own clear error, without an id', () => {
  test.each<[string, string | Buffer, number, number]>([
    ['not JSON', '{', 400, -32700],
    ['nothing at all', '', 400, -32700],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['a batch', JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a string', '"ping"', 400, -32600],
    ['null', 'null', 400, -32600],
    ['an empty object', '{}', 400, -32600],
    ['JSON-RPC 1.0', '{"id":1,"params":[]}', 400, -32600],
    ['a nest of 64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, 400, -32600],
    ['a nest of 65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 400, -32602],
    ['a nest half a million deep, never closed', '['.repeat(500_000), 400, -32602],
    ['a batch of 10,000', `[${'0,'.repeat(9_999)}0]`, 400, -32600],
    ['a batch of 10,001', `[${'0,'.repeat(10_000)}0]`, 400, -32602],
  ])('%s', async (_what, body, status, code) => {
    for (const headers of [legacy(token, null).headers, modern(token, 'tools/list').headers]) {
      const answer = await send(server.url, { ...(headers && { headers }), body });
      expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
      expect('id' in answer.json).toBe(false);
    }
  });

  test('another content type is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const answer = await send(server.url, modern(token, 'tools/list', {}, { headers: { 'Content-Type': type } }));
      expect([answer.status, answer.json.error?.code]).toEqual([415, -32600]);
    }
  });

  test.each(['text/plain', 'application/json'])('a second content type, %s, is 415', async second => {
    const { headers = {}, body } = modern(token, 'tools/list');
    const lines = Object.entries({
      Host: 'localhost',
      ...headers,
      'Content-Length': `${body?.length}`,
      Connection: 'close',
    });
    const raw = await openRaw(server.http.port);
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    raw.write(`POST /mcp HTTP/1.1\r\n${head}Content-Type: ${second}\r\n\r\n${body}`);
    expect(statusOf(await raw.closed())).toBe(415);
  });

  test('null isn’t an id', async () => {
    const answer = await send(server.url, legacy(token, { jsonrpc: '2.0', id: null, method: 'ping' }));
    expect([answer.status, answer.json.error?.code, 'id' in answer.json]).toEqual([400, -32600, false]);
  });
});

describe('a message with too much in it is refused by a sentence that names the limit', () => {
  /** What else the message holds. */
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 0]));
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const call = { name: 'echo', arguments: { text: 'x' } };
  const sendings = (params: Record<string, unknown>, meta: Record<string, unknown>) => [
    modern(token, 'tools/call', params, { meta }),
    legacy(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
  ];

  test.each<[string, () => [Record<string, unknown>, Record<string, unknown>]]>([
    ['in _meta', () => [call, keys(10_000)]],
    ['in params', () => [{ ...call, ...keys(10_000) }, {}]],
    ['in arguments', () => [{ ...call, arguments: keys(10_000) }, {}]],
  ])('10,000 keys %s', async (_what, held) => {
    for (const sending of sendings(...held())) {
      const { status, json } = await send(server.url, sending);
      expect([status, json.error?.code]).toEqual([400, -32602]);
      expect(json.error?.message).toContain('more than 10000 members');
    }
  });

  test.each<[string, () => [Record<string, unknown>, Record<string, unknown>]]>([
    ['in _meta', () => [call, { deep: nested(62) }]],
    ['in an argument', () => [{ ...call, arguments: { text: nested(62) } }, {}]],
  ])('65 levels %s', async (_what, held) => {
    for (const sending of sendings(...held())) {
      const { status, json } = await send(server.url, sending);
      expect([status, json.error?.code]).toEqual([400, -32602]);
      expect(json.error?.message).toContain('more than 64 levels deep');
    }
  });

  test('a number that would be rounded', async () => {
    for (const number of ['0.12345678901234567890123', '1e400', '1e-400', '1000000000000000000000001']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${number}}}}`;
      const { status, json } = await send(server.url, { ...legacy(token, null), body });
      expect([status, json.error?.code]).toEqual([400, -32602]);
      expect(json.error?.message).toBe(`The number ${number} would be rounded where it is read; send it as a string.`);
    }
  });

  test('within the limits an argument nested too deep is a tool error', async () => {
    const session = await openSession(server.url, token);
    const params = { name: 'echo', arguments: { text: 'x', values: nested(60) } };
    for (const sending of [
      modern(token, 'tools/call', params),
      legacy(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, session),
    ]) {
      const { status, json } = await send(server.url, sending);
      expect([status, json.result?.isError]).toEqual([200, true]);
      expect(json.result?.content?.[0]?.text).toMatch(/^invalid_argument: /);
    }
  });

  test('brackets, commas and quotes within a text don’t count as members', async () => {
    const text = `"[{${',['.repeat(20_000)}\\"`;
    const { json } = await send(server.url, modern(token, 'tools/call', { name: 'echo', arguments: { text } }));
    expect(json.result?.content?.[0]?.text).toMatch(/^invalid_argument: 'text' must be at most 100 characters/);
  });
});

describe('a header and a body that differ are 400 -32020, with the id', () => {
  test.each<[string, Record<string, string>]>([
    ['the version', { 'MCP-Protocol-Version': '2025-11-25' }],
    ['the method', { 'Mcp-Method': 'tools/list' }],
    ['the name', { 'Mcp-Name': 'slow' }],
    ['a broken encoding of the name', { 'Mcp-Name': '=?base64?%%%?=' }],
  ])('%s', async (_what, headers) => {
    const call = modern(token, 'tools/call', { name: 'echo', arguments: { text: 'x' } }, { headers });
    const answer = await send(server.url, call);
    expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([400, -32020, 7]);
  });

  test.each(['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])('%s left out', async name => {
    const call = modern(token, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    const { [name]: _removed, ...headers } = call.headers ?? {};
    const answer = await send(server.url, { ...call, headers });
    expect([answer.status, answer.json.error?.code]).toEqual([400, -32020]);
  });

  test('a header sent twice counts as neither', async () => {
    const call = modern(token, 'tools/call', { name: 'echo', arguments: { text: 'x' } });
    const headers = { ...call.headers, 'Mcp-Name': 'echo, echo' };
    expect((await send(server.url, { ...call, headers })).json.error?.code).toBe(-32020);
  });

  test('a _meta without its keys is 400 -32602', async () => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
    for (const params of [undefined, {}, { _meta: {} }]) {
      const answer = await send(
        server.url,
        legacy(token, { jsonrpc: '2.0', id: 3, method: 'tools/list', params }, headers),
      );
      expect([answer.status, answer.json.error?.code, answer.json.id]).toEqual([400, -32602, 3]);
    }
  });
});

describe('protocol versions', () => {
  test('server/discover names all three, as the codes do, and tells what to do first', async () => {
    const { json } = await send(server.url, modern(token, 'server/discover'));
    expect(json.result?.supportedVersions).toEqual(everyVersion);
    expect(json.result?.capabilities).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: true },
      prompts: {},
      completions: {},
    });
    expect(json.result?.instructions).toMatch(/list_connections.*describe_table.*policy.*never instructions/);
    expect(json.result?.resultType).toBe('complete');
  });

  test.each(['2025-11-25', '2025-06-18'])('initialize with %s is answered with it', async version => {
    const { json, headers } = await send(server.url, legacy(token, initialize(version)));
    expect(json.result?.protocolVersion).toBe(version);
    expect(headers['mcp-session-id']).toMatch(/^[\w-]{40,200}\.[\w-]{43}$/);
    expect(json.result?.instructions).toMatch(/list_connections/);
  });

  test.each(['2025-12-01', '2026-07-28', '2030-01-01', 'DRAFT-2026-v1'])(
    'initialize with %s is offered 2025-11-25',
    async version => {
      expect((await send(server.url, legacy(token, initialize(version)))).json.result?.protocolVersion).toBe(
        '2025-11-25',
      );
    },
  );

  test.each(['2025-03-26', '2024-11-05', '2024-10-07', '1.0', ''])(
    'initialize with %p is 400 -32022',
    async version => {
      const { status, json, headers } = await send(server.url, legacy(token, initialize(version, 9)));
      expect([status, json.error?.code, json.id]).toEqual([400, -32022, 9]);
      expect(json.error?.data?.supported).toEqual(everyVersion);
      expect(headers['mcp-session-id']).toBeUndefined();
    },
  );

  test('a later request that names an older version in its header is refused too', async () => {
    const session = await openSession(server.url, token);
    const headers = { ...session, 'MCP-Protocol-Version': '2025-03-26' };
    const { status, json } = await send(
      server.url,
      legacy(token, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers),
    );
    expect([status, json.error?.code]).toEqual([400, -32022]);
  });

  test('a modern request of a future revision is 400 -32022', async () => {
    const newer = { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const headers = { 'MCP-Protocol-Version': '2027-01-01' };
    const { status, json } = await send(server.url, modern(token, 'tools/list', {}, { headers, meta: newer }));
    expect([status, json.error?.code]).toEqual([400, -32022]);
    expect(json.error?.data).toEqual({ supported: everyVersion, requested: '2027-01-01' });
  });

  test('a modern request with an earlier version is 400 -32022', async () => {
    const older = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' };
    const headers = { 'MCP-Protocol-Version': '2025-11-25' };
    const { status, json } = await send(server.url, modern(token, 'tools/list', {}, { headers, meta: older }));
    expect([status, json.error?.code, json.id]).toEqual([400, -32022, 7]);
    expect(json.error?.data).toEqual({ supported: everyVersion, requested: '2025-11-25' });
  });

  test('an incomplete initialize is told so', async () => {
    const { json } = await send(server.url, legacy(token, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
    expect(json.error?.code).toBe(-32602);
  });
});

describe('methods', () => {
  test('an unknown one is 404 -32601 (modern), -32601 (legacy)', async () => {
    for (const method of ['resources/list', 'ping', 'initialize', 'logging/setLevel', 'nope', '__proto__']) {
      const { status, json } = await send(server.url, modern(token, method));
      expect([status, json.error?.code, json.id]).toEqual([404, -32601, 7]);
    }
    const session = await openSession(server.url, token);
    for (const method of ['resources/list', 'server/discover', 'nope', 'constructor']) {
      const { json } = await send(server.url, legacy(token, { jsonrpc: '2.0', id: 2, method }, session));
      expect([json.error?.code, json.id]).toEqual([-32601, 2]);
    }
  });

  test('ping is served if the revision has it', async () => {
    const session = await openSession(server.url, token);
    const { json } = await send(server.url, legacy(token, { jsonrpc: '2.0', id: 'p', method: 'ping' }, session));
    expect(json).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
  });

  test('tools/list is the same byte for byte, and depends only on the scope', async () => {
    const other = await server.token('readWrite');
    const list = async (by: string): Promise<string> => (await send(server.url, modern(by, 'tools/list'))).text;
    const first = await list(token);
    expect(await list(token)).toBe(first);
    expect(await list(other)).toBe(first);
    expect(first).not.toContain('stop_everything');
    expect(await list(await server.token('fullAccess'))).toContain('stop_everything');
  });

  test.each([
    ['tools/list', { cursor: null }],
    ['tools/list', { cursor: '' }],
    ['tools/list', null],
    ['tools/call', { name: 'failing', arguments: null }],
  ])('%s with %j says what isn’t given, in both eras', async (method, params) => {
    const session = await openSession(server.url, token);
    const older = legacy(token, { jsonrpc: '2.0', id: 2, method, params }, session);
    expect((await send(server.url, older)).json.error).toBeUndefined();
    if (params === null) return;
    expect((await send(server.url, modern(token, method, params))).json.error).toBeUndefined();
  });

  test('tools/list has one page, so a cursor for another is -32602', async () => {
    const { status, json } = await send(server.url, modern(token, 'tools/list', { cursor: 'x' }));
    expect([status, json.error?.code]).toEqual([200, -32602]);
  });

  test.each([{}, { name: 7 }, { name: 'echo', arguments: [] }, { name: 'echo', arguments: 'x' }, { arguments: null }])(
    'a call with %j is told what it needs',
    async params => {
      const message = 'tools/call needs the name of a tool, and its arguments as an object.';
      expect((await send(server.url, modern(token, 'tools/call', params))).json.error).toEqual({
        code: -32602,
        message,
      });
      const session = await openSession(server.url, token);
      const call = legacy(token, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, session);
      expect((await send(server.url, call)).json.error).toEqual({ code: -32602, message });
    },
  );

  test('subscriptions/listen acknowledges nothing and ends, since nothing is sent yet', async () => {
    const { status, text } = await send(
      server.url,
      modern(token, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    expect(status).toBe(200);
    const messages = text
      .split('\n')
      .filter(line => line.startsWith('data: '))
      .map(line => JSON.parse(line.slice(6)));
    expect(messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {} },
    });
    expect(messages[1]).toMatchObject({ id: 7, result: { resultType: 'complete' } });
  });

  test('a notification is accepted and has no effect', async () => {
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'notifications/cancelled' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await send(server.url, legacy(token, cancelled, headers))).toMatchObject({ status: 202, text: '' });
    const session = await openSession(server.url, token);
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await send(server.url, legacy(token, initialized, session))).toMatchObject({ status: 202, text: '' });
  });
});
