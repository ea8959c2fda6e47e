/**
 * How a loopback answer is delivered without a desktop (spec §10): only from this machine, over TLS
 * too, and without following redirects.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openAddress } from '../../shell-terminal/opening.ts';
import type { Terminal } from '../../shell-terminal/terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'sallyport-opening-test-'));
const headless = { environment: {} } as Terminal;
let asked: string[];
let answer: { status: number; headers: Record<string, string> };
const servers = new Set<Server>();
let tls: { key: Buffer; cert: Buffer };
beforeAll(() => {
  // Self-signed, for another name.
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=elsewhere.test'];
  execFileSync('openssl', [...made, ...files], { stdio: 'pipe' });
  tls = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'certificate.pem')) };
});
beforeEach(() => {
  asked = [];
  answer = { status: 200, headers: {} };
});
afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});
afterAll(() => rmSync(folder, { recursive: true }));

const listener: RequestListener = (request, response) => {
  asked.push(`${request.method} ${request.headers.host} ${request.url}`);
  response.writeHead(answer.status, answer.headers).end();
};
async function listening(address: string, server: Server): Promise<number> {
  servers.add(server);
  await new Promise<void>(resolve => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}
const secure = (address: string): Promise<number> => listening(address, createServer(tls, listener));

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['localhost', '::1'],
  ['[::1]', '::1'],
])('https://%s is fetched once from a listener on %s with a self-signed certificate', async (host, address) => {
  const port = await secure(address);
  expect(await openAddress(headless, `https://${host}:${port}/cb?code=x&state=a%20b`)).toEqual({ kind: 'opened' });
  expect(asked).toEqual([`GET ${host}:${port} /cb?code=x&state=a%20b`]);
});

test.each(['http', 'https'])('a redirecting answer over %s isn’t followed', async protocol => {
  const plain = await listening('127.0.0.1', createPlainServer(listener));
  const port = protocol === 'http' ? plain : await secure('127.0.0.1');
  answer = { status: 302, headers: { Location: `http://127.0.0.1:${plain}/elsewhere` } };
  expect(await openAddress(headless, `${protocol}://127.0.0.1:${port}/cb`)).toEqual({ kind: 'opened' });
  expect(asked).toEqual([`GET 127.0.0.1:${port} /cb`]);
});

test('one that doesn’t speak TLS, or is gone, didn’t get the answer', async () => {
  const plain = await listening('127.0.0.1', createPlainServer(listener));
  for (const silent of [plain, 9]) {
    const problem = `the client did not answer at 127.0.0.1:${silent}`;
    expect(await openAddress(headless, `https://127.0.0.1:${silent}/`)).toEqual({ kind: 'failed', problem });
  }
});

test.each(['http', 'https'])(
  'one that accepted the request over %s may have the code, whether it refuses, closes or hangs',
  async protocol => {
    const serve = (act: RequestListener): Promise<number> =>
      listening('127.0.0.1', protocol === 'http' ? createPlainServer(act) : createServer(tls, act));
    answer = { status: 500, headers: {} };
    const no = await serve(listener);
    const closing = await serve(request => request.socket.destroy());
    const hanging = await serve(() => {});
    for (const [port, problem] of [
      [no, `the client at 127.0.0.1:${no} answered with HTTP 500`],
      [closing, `the client at 127.0.0.1:${closing} took the request and gave no answer`],
      [hanging, `the client at 127.0.0.1:${hanging} took the request and gave no answer`],
    ] as const) {
      expect(await openAddress(headless, `${protocol}://127.0.0.1:${port}/`)).toEqual({ kind: 'unclear', problem });
    }
  },
  30_000,
);

describe('an address that could be elsewhere, or in between, isn’t asked', () => {
  const own = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  test.each([own ?? '192.0.2.1', 'localhost.', '127.0.0.2', '[::ffff:127.0.0.1]', 'user@evil.example'])(
    '%s',
    async host => {
      const port = await secure('0.0.0.0');
      const opened = await openAddress(headless, `https://${host}:${port}/`);
      expect(opened).toMatchObject({ kind: 'failed', problem: expect.stringContaining('is not this machine') });
      expect(asked).toEqual([]);
    },
  );
});
