import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { modern, openRaw, send, statusOf } from './wire.ts';

let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await runServer();
  token = await server.token();
});
afterAll(() => server.stop());

describe('method and path', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s on a served path is 405 with Allow',
    async method => {
      for (const path of ['/mcp', '/v1/integrations/exchange']) {
        const answer = await send(server.url, { method, path, headers: { Authorization: `Bearer ${token}` } });
        expect(answer.status).toBe(405);
        expect(answer.headers.allow).toBe(path === '/mcp' ? 'GET, POST' : 'POST');
      }
    },
  );

  test.each([
    '/',
    '/mcp/',
    '//mcp',
    '/MCP',
    '/%6dcp',
    '/mcp%2f',
    '/mcp;x',
    '/./mcp',
    '/x/../mcp',
    '/mcp#x',
    '/v1/integrations/exchange/',
    '/.well-known/oauth-protected-resource',
  ])('%s is 404 for every method', async path => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await send(server.url, { ...modern(token, 'tools/list'), method, path });
      expect(answer.status).toBe(404);
      expect(answer.json.error).toBe('not_found');
    }
  });

  test('a query doesn’t belong to the path', async () => {
    expect((await send(server.url, { ...modern(token, 'tools/list'), path: '/mcp?a=/x' })).status).toBe(200);
  });

  test.each(['POST', 'GET'])(
    '%s of a target in absolute form is that of its path, under its own Host alone',
    async method => {
      const { host } = new URL(server.url);
      const at = (path: string) => send(server.url, { ...modern(token, 'tools/list'), method, path });
      expect((await at(`http://${host}/mcp?a=/x`)).status).toBe(method === 'POST' ? 200 : 405);
      expect((await at(`http://${host}/mcp/`)).status).toBe(404);
      for (const path of ['http://evil.example/mcp', `http://x@${host}/mcp`, 'http://localhost:1/mcp'])
        expect((await at(path)).status).toBe(method === 'POST' ? 403 : 405);
      for (const path of [`https://${host}/mcp`, `http://${host}`, `//${host}/mcp`])
        expect((await at(path)).status).toBe(404);
    },
  );

  test('an unknown path is reported before a foreign Host, and a wrong method too', async () => {
    expect((await send(server.url, { path: '/x', headers: { Host: 'evil.example' } })).status).toBe(404);
    expect((await send(server.url, { method: 'GET', headers: { Host: 'evil.example' } })).status).toBe(405);
  });
});

describe('Host', () => {
  test.each(['127.0.0.1', '127.0.0.1:9', 'localhost', 'LocalHost:65535', '[::1]', '[::1]:27432'])(
    '%s names this machine',
    async host => {
      expect((await send(server.url, modern(token, 'tools/list', {}, { headers: { Host: host } }))).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:27432',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '0.0.0.0',
    '::1',
    'localhost:',
    'localhost:x',
    'user@localhost',
    'localhost evil.example',
    '2130706433',
    'localhost.',
  ])('%s does not', async host => {
    const answer = await send(server.url, modern(token, 'tools/list', {}, { headers: { Host: host } }));
    expect(answer.status).toBe(403);
    expect(answer.json.error).toBe('forbidden_host');
  });

  test.each([
    ['none in HTTP/1.1', 'POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
    ['none in HTTP/1.0', 'POST /mcp HTTP/1.0\r\nContent-Length: 0\r\n\r\n'],
    ['an empty one', 'POST /mcp HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n\r\n'],
    ['two', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nContent-Length: 0\r\n\r\n'],
    ['two of ours', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'],
  ])('%s is refused', async (_what, bytes) => {
    const raw = await openRaw(server.http.port);
    raw.write(bytes);
    const received = await raw.until('forbidden_host');
    raw.end();
    expect(statusOf(received)).toBe(403);
  });
});

describe('Origin', () => {
  test('none, or the address asked itself, is fine', async () => {
    const host = `127.0.0.1:${server.http.port}`;
    const own = modern(token, 'tools/list', {}, { headers: { Host: host, Origin: `http://${host}` } });
    expect((await send(server.url, own)).status).toBe(200);
  });

  test.each(['https://evil.example', 'null', 'http://localhost', 'https://127.0.0.1', 'http://127.0.0.1:1', ''])(
    '%p is refused',
    async origin => {
      const answer = await send(server.url, modern(token, 'tools/list', {}, { headers: { Origin: origin } }));
      expect(answer.status).toBe(403);
      expect(answer.json.error).toBe('forbidden_origin');
    },
  );

  test('a foreign one beside our own is refused', async () => {
    const raw = await openRaw(server.http.port);
    raw.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n',
    );
    expect(statusOf(await raw.until('forbidden_origin'))).toBe(403);
    raw.end();
  });

  test('no answer of any kind carries a CORS header', async () => {
    const asked = [
      modern(token, 'tools/list'),
      modern(token, 'tools/list', {}, { headers: { Origin: 'https://evil.example' } }),
      { method: 'OPTIONS', headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' } },
      modern('wrong', 'tools/list'),
      { path: '/v1/integrations/exchange', headers: { 'Content-Type': 'application/json' }, body: '{}' },
    ];
    for (const sending of asked) {
      const { headers } = await send(server.url, sending);
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('size', () => {
  const huge = Buffer.alloc(1024 * 1024 + 1, 0x20);

  test('a byte over 1 MiB is 413 -33005, by the declared length', async () => {
    const answer = await send(server.url, { ...modern(token, 'tools/list'), body: huge });
    expect(answer.status).toBe(413);
    expect(answer.json.error?.code).toBe(-33005);
    expect('id' in answer.json).toBe(false);
  });

  test('a byte over 1 MiB is 413 -33005 on arrival, without a declared length', async () => {
    const { headers } = modern(token, 'tools/list');
    const answer = await send(server.url, { headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body: huge });
    expect(answer.status).toBe(413);
    expect(answer.json.error?.code).toBe(-33005);
  });

  test('just under 1 MiB is read', async () => {
    const text = 'x'.repeat(1024 * 1024 - 1_000);
    const answer = await send(server.url, modern(token, 'tools/call', { name: 'echo', arguments: { text } }));
    expect(answer.json.result?.content?.[0]?.text).toMatch(/^invalid_argument: 'text' must be at most 100 characters/);
  });

  test('the size is checked before the bearer', async () => {
    const answer = await send(server.url, { headers: { 'Content-Type': 'application/json' }, body: huge });
    expect(answer.status).toBe(413);
  });

  test('a client that asks before it sends a body hears the refusal without sending', async () => {
    const head = (bearer: string) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nAuthorization: Bearer ${bearer}\r\nContent-Length: 2\r\n\r\n`;
    const refused = await openRaw(server.http.port);
    refused.write(head('wrong'));
    expect(statusOf(await refused.until('-33009'))).toBe(401);
    refused.end();
    const allowed = await openRaw(server.http.port);
    allowed.write(head(token));
    expect(statusOf(await allowed.until('\r\n\r\n'))).toBe(100);
    allowed.write('{}');
    expect(await allowed.until('-32600')).toContain('HTTP/1.1 400');
    allowed.end();
  });
});

describe('what HTTP itself refuses', () => {
  const headers = `Host: localhost\r\nContent-Type: application/json\r\n`;
  test.each([
    [
      'both lengths',
      `POST /mcp HTTP/1.1\r\n${headers}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST /mcp HTTP/1.1\r\n${headers}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ['an odd transfer coding', `POST /mcp HTTP/1.1\r\n${headers}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `POST /mcp HTTP/1.1\r\n${headers}Content-Length : 3\r\n\r\nabc`],
    ['a bare line feed in a header', `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n`],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s is 400 and the end of the connection', async (_what, bytes) => {
    const raw = await openRaw(server.http.port);
    raw.write(bytes);
    expect(statusOf(await raw.closed())).toBe(400);
    expect(raw.received()).toContain('"error":"bad_request"');
    expect(raw.received().match(/^connection: .*$/gim)).toEqual(['Connection: close']);
  });

  test.each([
    ['CONNECT to another host', 'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost', 404, 'not_found'],
    ['CONNECT to a path of ours', 'CONNECT /mcp HTTP/1.1\r\nHost: localhost', 405, 'method_not_allowed'],
    ['an Expect of something else', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: tea', 417, 'expectation_failed'],
    ['an upgrade', 'GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c', 405, 'method_not_allowed'],
  ])('%s is refused with a body', async (_, head, status, error) => {
    const raw = await openRaw(server.http.port);
    raw.write(`${head}\r\n\r\n`);
    const received = await raw.until('}');
    raw.end();
    const [, body = ''] = received.split('\r\n\r\n');
    expect([statusOf(received), JSON.parse(body)]).toEqual([
      status,
      { error, error_description: expect.stringMatching(/\.$/) },
    ]);
    expect(received).toMatch(new RegExp(`content-length: ${body.length}\r\n`, 'i'));
  });

  test('too many headers are 431', async () => {
    const raw = await openRaw(server.http.port);
    raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(statusOf(await raw.closed())).toBe(431);
  });

  test('pipelined requests are answered each, in order, and each with its own rights', async () => {
    const { headers: own, body = '' } = modern(token, 'tools/list', {}, { id: 'second' });
    const lines = Object.entries(own ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    const second = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`;
    const first = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
    const raw = await openRaw(server.http.port);
    raw.write(first + second + first);
    const statuses = (): unknown[] => [...raw.received().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(match => match[1]);
    await until(() => statuses().length === 3, 'three answers came');
    raw.end();
    expect(statuses()).toEqual(['401', '200', '401']);
  });
});
