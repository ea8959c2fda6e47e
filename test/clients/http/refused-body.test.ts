import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, runServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await runServer();
});
afterAll(() => server.stop());

const body = Buffer.alloc(11 * 1024 * 1024, 32);

/** Sends the whole body, whatever is answered meanwhile; the connection ends with the answer. */
function postAll(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      path: '/mcp',
      method: 'POST',
      headers: { 'Content-Length': body.length, Connection: 'close' },
      agent: false,
    });
    outgoing.on('response', response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

test('a client gets its answer even if its body is refused before it arrives', async () => {
  const { port } = new URL(server.url);
  const statuses = await Promise.all(Array.from({ length: 20 }, () => postAll(Number(port))));
  expect(new Set(statuses)).toEqual(new Set([413]));
});
