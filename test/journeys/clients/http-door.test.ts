/**
 * The HTTP server of the built daemon: it refuses each kind of bad request with a clear error of
 * its own, and keeps working.
 */

import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RealHome } from '../../bridge/real-home.ts';
import {
  type Answer,
  initialize,
  legacy,
  modern,
  openRaw,
  type Sending,
  send,
  statusOf,
} from '../../clients/http/wire.ts';
import { runSallyport } from '../databases/three-engines.ts';

let home: RealHome;
let token: string;
let port: number;
let pid: number;
let url: string;
beforeAll(async () => {
  home = new RealHome();
  home.sallyport('start');
  token = JSON.parse(
    (await runSallyport(home.environment, ['tokens', 'mint', '--name', 't', '--json'], '')).stdout,
  ).token;
  ({ port, pid } = home.handshake() ?? { port: 0, pid: 0 });
  url = `http://127.0.0.1:${port}/mcp`;
}, 60_000);
afterAll(() => home.clean());

const listTools = (more: Parameters<typeof modern>[3] = {}): Sending => modern(token, 'tools/list', {}, more);
const withoutAuthorization = ({ Authorization: _, ...headers }: Record<string, string>) => headers;

test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])('%s /mcp: 405 with Allow', async method => {
  const { status, headers, json } = await send(url, { ...listTools(), method });
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, POST' });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  if (method !== 'HEAD') expect(json).toMatchObject({ error: 'method_not_allowed' });
});

test.each(['/', '/mcp/', '/MCP', '//mcp', '/%6dcp', '/v1', '/.well-known/oauth-protected-resource', '/favicon.ico'])(
  'POST %s: 404',
  async path => {
    const { status, json } = await send(url, { ...listTools(), path });
    expect(status).toBe(404);
    expect(json).toMatchObject({ error: 'not_found', error_description: expect.stringContaining('/mcp') });
  },
);

test.each<[string, Record<string, string>, string]>([
  ['a foreign Host', { Host: 'evil.example' }, 'forbidden_host'],
  ['a foreign Host with our port', { Host: 'evil.example:27432' }, 'forbidden_host'],
  ['a Host that starts like ours', { Host: '127.0.0.1.evil.example' }, 'forbidden_host'],
  ['this machine by its other name', { Host: '0.0.0.0' }, 'forbidden_host'],
  ['a foreign Origin', { Origin: 'https://evil.example' }, 'forbidden_origin'],
  ['the null Origin', { Origin: 'null' }, 'forbidden_origin'],
  ['an Origin of another port of ours', { Origin: 'http://127.0.0.1:1' }, 'forbidden_origin'],
])('%s: 403', async (_, headers, error) => {
  const { status, json } = await send(url, listTools({ headers }));
  expect({ status, json }).toMatchObject({ status: 403, json: { error } });
});

test.each(['localhost', '127.0.0.1', '[::1]', 'localhost:8443'])('Host %s is this machine', async host => {
  expect((await send(url, listTools({ headers: { Host: host } }))).status).toBe(200);
});

test('no token, a wrong one, one that isn’t a bearer: 401 -33009 with WWW-Authenticate', async () => {
  const plain = listTools();
  const none = await send(url, { ...plain, headers: withoutAuthorization(plain.headers ?? {}) });
  const wrong = await send(url, modern(`sp_${'A'.repeat(43)}`, 'tools/list'));
  const basic = await send(url, listTools({ headers: { Authorization: 'Basic dTpw' } }));
  for (const { status, json, headers } of [none, wrong, basic]) {
    expect({ status, code: json.error?.code }).toEqual({ status: 401, code: -33009 });
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Sallyport"/);
    // MCP's schema has no `id: null`.
    expect(json).not.toHaveProperty('id');
  }
  expect(none.json.error?.message).toBe(
    'A bearer token is needed. Only the user can give this client one, in Sallyport.',
  );
});

test('bodies that are no message: each gets its own sentence', async () => {
  const headers = listTools().headers ?? {};
  const message = JSON.parse(String(listTools().body));
  const answers: Record<string, Answer> = {
    batch: await send(url, { headers, body: JSON.stringify([message, message]) }),
    'empty batch': await send(url, { headers, body: '[]' }),
    'not JSON': await send(url, { headers, body: '{"jsonrpc": "2.0", ' }),
    'not UTF-8': await send(url, { headers, body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1') }),
    nothing: await send(url, { headers, body: '' }),
    'a string': await send(url, { headers, body: '"tools/list"' }),
    null: await send(url, { headers, body: 'null' }),
    'no method': await send(url, { headers, body: '{"jsonrpc":"2.0","id":1}' }),
    'another content type': await send(url, listTools({ headers: { 'Content-Type': 'text/plain' } })),
  };
  const told = Object.fromEntries(
    Object.entries(answers).map(([what, { status, json }]) => [what, [status, json.error?.code]]),
  );
  expect(told).toEqual({
    batch: [400, -32600],
    'empty batch': [400, -32600],
    'not JSON': [400, -32700],
    'not UTF-8': [400, -32700],
    nothing: [400, -32700],
    'a string': [400, -32600],
    null: [400, -32600],
    'no method': [400, expect.any(Number)],
    'another content type': [415, -32600],
  });
  expect(answers.batch?.json.error?.message).toMatch(/Batches are not supported/);
  for (const { json } of Object.values(answers)) expect(json.error?.message.length).toBeGreaterThan(20);
});

test('an 11 MB body is refused as too large, whether its length is declared or not', async () => {
  const body = Buffer.alloc(11 * 1024 * 1024, 0x20);
  // As clients send it: on a kept connection, so the answer is heard while the body is still being
  // sent.
  const declared = await fetch(url, { method: 'POST', headers: listTools().headers ?? {}, body });
  expect({ status: declared.status, answer: await declared.json() }).toMatchObject({
    status: 413,
    answer: { error: { code: -33005 } },
  });
  const chunked = await new Promise<number>((resolve, reject) => {
    const headers = { ...listTools().headers, 'Transfer-Encoding': 'chunked' };
    const sent = request(url, { method: 'POST', headers, agent: false }, answer => {
      resolve(answer.statusCode ?? 0);
      answer.resume();
    });
    sent.on('error', reject);
    for (let at = 0; at < 11; at++) sent.write(body.subarray(0, 1024 * 1024));
    sent.end();
  });
  expect(chunked).toBe(413);
});

test.each([
  ['application/json', 413],
  ['text/plain', 415],
])('%s that is refused during the sending, by a client that listens only afterwards: %i', async (type, status) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  const write = (bytes: string | Buffer) =>
    new Promise<void>((resolve, reject) => socket.write(bytes, error => (error ? reject(error) : resolve())));
  const head = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
  const lines = Object.entries({ Host: '127.0.0.1', Connection: 'close', ...head }).map(pair => pair.join(': '));
  await write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < 11; sent++) await write(`100000\r\n${' '.repeat(0x100000)}\r\n`);
  await write('0\r\n\r\n');
  let heard = '';
  socket.on('data', chunk => {
    heard += chunk;
  });
  socket.resume();
  await once(socket, 'close');
  expect(statusOf(heard)).toBe(status);
});

test('headers and _meta that differ: each is reported', async () => {
  const call = (headers: Record<string, string>, meta: Record<string, unknown> = {}) =>
    send(url, modern(token, 'tools/call', { name: 'list_connections', arguments: {} }, { headers, meta }));
  const answers = {
    'another method': await call({ 'Mcp-Method': 'tools/list' }),
    'another name': await call({ 'Mcp-Name': 'execute_query' }),
    'another version': await call({ 'MCP-Protocol-Version': '2025-11-25' }),
    'a version nobody has': await call(
      { 'MCP-Protocol-Version': '2099-01-01' },
      { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    ),
  };
  expect(answers['another method']).toMatchObject({ status: 400, json: { error: { code: -32020 } } });
  expect(answers['another name']).toMatchObject({ status: 400, json: { error: { code: -32020 } } });
  expect(answers['another version']).toMatchObject({ status: 400, json: { error: { code: -32020 } } });
  expect(answers['a version nobody has']).toMatchObject({ status: 400, json: { error: { code: -32022 } } });
});

test('older revisions: 2025-03-26 is refused with the supported ones, 2025-06-18 is served, sessions are known', async () => {
  const older = await send(url, legacy(token, initialize('2025-03-26')));
  expect(older).toMatchObject({ status: 400, json: { error: { code: -32022 } } });
  expect(older.json.error?.data).toMatchObject({ supported: ['2026-07-28', '2025-11-25', '2025-06-18'] });
  const served = await send(url, legacy(token, initialize('2025-06-18')));
  expect(served).toMatchObject({ status: 200, json: { result: { protocolVersion: '2025-06-18' } } });
  const newer = await send(url, legacy(token, initialize('2031-01-01')));
  expect(newer).toMatchObject({ status: 200, json: { result: { protocolVersion: '2025-11-25' } } });

  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect(await send(url, legacy(token, list))).toMatchObject({ status: 400 });
  const unknown = await send(url, legacy(token, list, { 'Mcp-Session-Id': 'no-such-session' }));
  expect(unknown).toMatchObject({ status: 404, json: { error: { code: -33001 } } });
  // Another principal's session is as unknown as none.
  const session = { 'Mcp-Session-Id': String(served.headers['mcp-session-id']) };
  const minted = await runSallyport(home.environment, ['tokens', 'mint', '--name', 'other', '--json'], '');
  const others = await send(url, legacy(JSON.parse(minted.stdout).token, list, session));
  expect(others).toMatchObject({ status: 404, json: { error: { code: -33001 } } });
  expect((await send(url, legacy(token, list, session))).status).toBe(200);
});

test('bytes that aren’t HTTP, and an endless request, harm nobody', async () => {
  const rubbish = await openRaw(port);
  rubbish.write('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03rubbish\r\n\r\n');
  expect(statusOf(await rubbish.closed())).toBe(400);
  const slow = await openRaw(port);
  slow.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  expect((await send(url, listTools())).status).toBe(200);
  slow.end();
});

test('the daemon is the same as at the start, and still answers', async () => {
  expect(home.handshake()?.pid).toBe(pid);
  expect((await send(url, listTools())).json.result?.tools).not.toHaveLength(0);
});
