/** A program of this machine guesses tokens and tries each way around the count (spec §13). */

import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { clockedAdmission } from '../clients/http/admission-for-tests.ts';
import { type RunningServer, runServer } from '../clients/http/running-server.ts';
import { modern, openRaw, send } from '../clients/http/wire.ts';

let server: RunningServer;
beforeEach(async () => {
  server = await runServer({}, clockedAdmission());
});
afterEach(() => server.stop());

const guess = (number: number): string => `sp_${String(number).padStart(43, 'G')}`;

/** @param localAddress the address that it dials from. */
function statusFrom(localAddress: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { headers = {}, body = '' } = modern(token, 'tools/list');
    const sent = request(server.url, { method: 'POST', headers, localAddress, agent: false }, answer => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('two hundred at once are five guesses', async () => {
  const all = Array.from({ length: 200 }, (_, number) => send(server.url, modern(guess(number), 'tools/list')));
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.filter(status => status === 401)).toHaveLength(5);
  expect(statuses.filter(status => status === 429)).toHaveLength(195);
});

test('another address of this machine for each guess: still five', async () => {
  const statuses: number[] = [];
  for (let number = 1; number <= 20; number++) statuses.push(await statusFrom(`127.0.${number}.7`, guess(number)));
  expect(statuses.filter(status => status === 401)).toHaveLength(5);
  expect(await statusFrom('127.9.9.9', guess(99))).toBe(429);
});

test('many requests on one connection, pipelined: still five', async () => {
  const raw = await openRaw(server.http.port);
  for (let number = 0; number < 20; number++) {
    raw.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${guess(number)}\r\nContent-Length: 0\r\n\r\n`,
    );
  }
  raw.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  const received = await raw.closed();
  expect(received.match(/HTTP\/1\.1 401/g)).toHaveLength(5 + 1);
  expect(received.match(/HTTP\/1\.1 429/g)).toHaveLength(15);
});

test('headers that claim another origin of the request change nothing', async () => {
  const statuses: number[] = [];
  for (let number = 0; number < 10; number++) {
    const headers = {
      'X-Forwarded-For': `10.0.0.${number}`,
      Forwarded: `for=10.0.0.${number}`,
      'Sallyport-Bridge': `bridge-number-${1000 + number}`,
    };
    statuses.push((await send(server.url, modern(guess(number), 'tools/list', {}, { headers }))).status);
  }
  expect(statuses.filter(status => status === 401)).toHaveLength(5);
});

test('a program can’t lock the user’s clients out: those that worked before and the bridge continue', async () => {
  const working = await server.token();
  expect((await send(server.url, modern(working, 'tools/list'))).status).toBe(200);
  for (let number = 0; number < 100; number++) await send(server.url, modern(guess(number), 'tools/list'));
  for (const token of [working, server.bridgeToken]) {
    expect((await send(server.url, modern(token, 'tools/list'))).status).toBe(200);
  }
});

test('no guess, no token and no hash reaches the log', async () => {
  const working = await server.token();
  await send(server.url, modern(working, 'tools/list'));
  for (let number = 0; number < 10; number++) await send(server.url, modern(guess(number), 'tools/list'));
  const logged = server.logged.join('\n');
  expect(logged).toContain('lockout');
  expect(logged).not.toContain('sp_');
});
