/**
 * The name that a container has for this machine, over the real HTTP door: it is worth something
 * with the token of a box, and with nothing else. Whoever has another token, a guess or none hears
 * what every foreign Host is told, byte for byte.
 */

import { duplexPair } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClockedAdmission, clockedAdmission } from '../../clients/http/admission-for-tests.ts';
import { type RunningServer, runServer } from '../../clients/http/running-server.ts';
import { initialize, legacy, modern, openRaw, openSession, type Sending, send } from '../../clients/http/wire.ts';

const inside = 'host.docker.internal';
const exchange = '/v1/integrations/exchange';

let admission: ClockedAdmission;
let server: RunningServer;
let token: string;
let id: string;
beforeEach(async () => {
  admission = clockedAdmission();
  admission.limits = { requestsPerMinute: 0, concurrentRequests: 0 };
  server = await runServer({}, admission);
  ({ token, id } = await boxOf('token'));
});
afterEach(() => server.stop());

async function boxOf(credential: 'socket' | 'token') {
  const { record, plaintext } = await server.tokens.mintBox(
    { name: 'box', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false, client: null },
    { group: null, credential },
  );
  return { token: plaintext, id: record.id };
}

const list = (bearer: string | null, headers: Record<string, string>): Sending => {
  const asked = modern(bearer ?? '', 'tools/list', {}, { headers });
  const { Authorization, ...others } = asked.headers ?? {};
  return { ...asked, headers: bearer === null ? others : { ...others, Authorization: Authorization ?? '' } };
};
const statusAt = async (host: string, bearer: string | null = token): Promise<number> =>
  (await send(server.url, list(bearer, { Host: host }))).status;

/** All that comes back, but for what tells the time. */
async function bytesAt(host: string, authorization: string, path = '/mcp'): Promise<string> {
  const connection = await openRaw(server.http.port);
  const body = JSON.stringify(initialize('2025-11-25'));
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  return (await connection.closed()).replace(/^Date: .*$/m, '');
}

test.each([inside, `${inside}:27432`, `${inside}:1`, 'HOST.docker.Internal', '127.0.0.1', 'localhost:8', '[::1]'])(
  'the token of a box is served at %s',
  async host => expect(await statusAt(host)).toBe(200),
);

test.each([
  ...['host.docker.internal.', 'host.docker.internal:', 'host.docker.internal:x', 'host.docker.internal:123456'],
  ...['host.docker.internal.evil.example', 'evil.host.docker.internal', 'docker.internal', 'user@host.docker.internal'],
  ...['host.docker.internal evil.example', 'gateway.docker.internal', 'host.docker.internal,localhost', 'evil.example'],
  ...['hoſt.docker.internal', 'host-docker.internal', '192.168.65.254', '172.17.0.1', ''],
])('and nowhere else: %s', async host => {
  const answer = await bytesAt(Buffer.from(host).toString('latin1'), `Authorization: Bearer ${token}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(answer).not.toContain('protocolVersion');
});

describe('everybody else hears there what a foreign Host is told', () => {
  const others: Readonly<Record<string, () => Promise<string>>> = {
    'no token': async () => '',
    'an empty one': async () => 'Authorization: Bearer \r\n',
    'what is no bearer': async () => 'Authorization: Basic Ym94\r\n',
    'a guess': async () => `Authorization: Bearer sp_${'A'.repeat(43)}\r\n`,
    'a guess that begins like the token': async () =>
      `Authorization: Bearer ${token.slice(0, 12)}${'A'.repeat(34)}\r\n`,
    'a token of all access': async () => `Authorization: Bearer ${await server.token('fullAccess')}\r\n`,
    'the token of the bridge': async () => `Authorization: Bearer ${server.bridgeToken}\r\n`,
    'what nobody has: that of a box with a socket': async () =>
      `Authorization: Bearer ${(await boxOf('socket')).token}\r\n`,
    'the token of a box that was revoked': async () => {
      await server.tokens.delete(id);
      return `Authorization: Bearer ${token}\r\n`;
    },
    'the token behind another': async () =>
      `Authorization: Bearer ${await server.token()}\r\nAuthorization: Bearer ${token}\r\n`,
    'the token in another header': async () => `X-Authorization: Bearer ${token}\r\nCookie: ${token}\r\n`,
  };
  test.each(Object.entries(others))('%s', async (_, authorization) => {
    const sent = await authorization();
    const told = await bytesAt(inside, sent);
    expect(told).toMatch(/^HTTP\/1\.1 403 /);
    expect(told).toBe(await bytesAt('evil.example', sent));
  });

  test('and no guess counts there, nor is a lock seen there', async () => {
    const guess = (at: number): string => `sp_${String(at).padStart(43, 'A')}`;
    for (let at = 0; at < 30; at++) expect(await statusAt(inside, guess(at))).toBe(403);
    expect(await statusAt('127.0.0.1', guess(99))).toBe(401);
    for (let at = 0; at < 30; at++) await statusAt('127.0.0.1', guess(at));
    expect(await statusAt('127.0.0.1', guess(99))).toBe(429);
    expect(await statusAt(inside, guess(99))).toBe(403);
    expect(await statusAt(inside)).toBe(200);
  });
});

test('a box that was revoked is unknown everywhere, and what it had open ends', async () => {
  const session = await openSession(server.url, token);
  await server.tokens.delete(id);
  expect(await statusAt('127.0.0.1')).toBe(401);
  expect(await statusAt(inside)).toBe(403);
  const late = legacy(token, { jsonrpc: '2.0', id: 2, method: 'ping' }, { ...session, Host: inside });
  expect((await send(server.url, late)).status).toBe(403);
});

test('one that has expired is told so, and nothing else', async () => {
  server.advanceSeconds(86_401);
  for (const host of [inside, '127.0.0.1']) {
    const answer = await send(server.url, list(token, { Host: host }));
    expect(answer).toMatchObject({ status: 401, json: { error: { code: -33008 } } });
  }
});

test.each(['http://evil.example', 'null', 'http://127.0.0.1', 'https://host.docker.internal', `http://${inside}:1`])(
  'a page of %s is refused, with the token too',
  async origin => {
    const answer = await send(server.url, list(token, { Host: inside, Origin: origin }));
    expect(answer).toMatchObject({ status: 403, json: { error: 'forbidden_origin' } });
  },
);

test('a page that was led here by that name gets nothing without the token', async () => {
  const page = { Host: inside, Origin: `http://${inside}` };
  for (const bearer of [null, await server.token('fullAccess')])
    expect(await send(server.url, list(bearer, page))).toMatchObject({
      status: 403,
      json: { error: 'forbidden_host' },
    });
});

test.each([exchange, '/v1', '/', '/mcp/', '//mcp', '/mcp/../v1/integrations/exchange', `http://${inside}/`])(
  'nothing but /mcp is at that Host: %s',
  async path => {
    const answer = await bytesAt(inside, `Authorization: Bearer ${token}\r\n`, path);
    expect(answer).toMatch(path === exchange ? /^HTTP\/1\.1 403 / : /^HTTP\/1\.1 404 /);
    expect(answer).toBe(await bytesAt('evil.example', `Authorization: Bearer ${token}\r\n`, path));
  },
);

test.each([
  ['two of them', `Host: ${inside}\r\nHost: ${inside}\r\n`],
  ['a good one and it', `Host: 127.0.0.1\r\nHost: ${inside}\r\n`],
  ['it and a good one', `Host: ${inside}\r\nHost: 127.0.0.1\r\n`],
  ['none', ''],
  ['it folded', `Host: host.docker\r\n .internal\r\n`],
  ['a blank before the colon', `Host : ${inside}\r\n`],
  ['another header of a proxy', `X-Forwarded-Host: ${inside}\r\nForwarded: host=${inside}\r\n`],
])('Host: %s', async (_, hosts) => {
  for (const version of ['1.0', '1.1'])
    for (const target of ['/mcp', `http://${inside}/mcp`]) {
      const connection = await openRaw(server.http.port);
      const body = JSON.stringify(initialize('2025-11-25'));
      connection.write(
        `POST ${target} HTTP/${version}\r\n${hosts}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      const answer = await connection.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 40[034] /);
      expect(answer).not.toContain('protocolVersion');
    }
});

test('the socket of a box knows no other Host than before', async () => {
  const { record } = await server.tokens.mintBox(
    { name: 'other', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false, client: null },
    { group: null, credential: 'socket' },
  );
  expect(server.tokens.verifyBox(record.id).kind).toBe('valid');
  const answers: string[] = [];
  for (const host of ['localhost', inside]) {
    const [near, far] = duplexPair();
    server.http.serveBox(far, record.id);
    near.setEncoding('latin1').on('data', piece => answers.push(String(piece).slice(0, 12)));
    near.write(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    await new Promise(resolve => near.once('end', resolve));
  }
  expect(answers.filter(line => line.startsWith('HTTP'))).toEqual(['HTTP/1.1 400', 'HTTP/1.1 403']);
});
