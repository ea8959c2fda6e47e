import { type OutgoingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await runServer();
});
afterAll(() => server.stop());

const bytes = 11 * 1024 * 1024;

/** The whole body is sent, whatever is answered meanwhile; the connection ends with the answer. */
function postAll(port: number, headers: OutgoingHttpHeaders): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      path: '/mcp',
      method: 'POST',
      headers: { ...headers, Connection: 'close' },
      agent: false,
    });
    outgoing.on('response', response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(Buffer.alloc(bytes, 32));
  });
}

const statusesOf = async (headers: OutgoingHttpHeaders): Promise<Set<number>> => {
  const port = Number(new URL(server.url).port);
  return new Set(await Promise.all(Array.from({ length: 20 }, () => postAll(port, headers))));
};

test('a body that is refused before it came does not cost the client its answer', async () => {
  expect(await statusesOf({ 'Content-Length': bytes })).toEqual(new Set([413]));
});

test.each([
  ['grew too large', 'application/json', 413],
  ['is no JSON', 'text/plain', 415],
])('nor does one that %s', async (_, type, status) => {
  const headers = { Authorization: `Bearer ${await server.token()}`, 'Content-Type': type };
  expect(await statusesOf({ ...headers, 'Transfer-Encoding': 'chunked' })).toEqual(new Set([status]));
});
