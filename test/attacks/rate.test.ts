/** An admitted client tries to take more than its share (spec §13). */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ClockedAdmission, clockedAdmission } from '../clients/http/admission-for-tests.ts';
import { type RunningServer, runServer } from '../clients/http/running-server.ts';
import { modern, openRaw, type RawConnection, send } from '../clients/http/wire.ts';
import { until } from '../waiting/until.ts';

let admission: ClockedAdmission;
let server: RunningServer;
beforeEach(async () => {
  admission = clockedAdmission();
  server = await runServer({ waitSeconds: 0.5 }, admission);
});
afterEach(() => server.stop());

const bridgeNamed = (number: number) => ({ 'Sallyport-Bridge': `bridge-number-${100_000 + number}` });

test('a program with the bridge’s token and a new name per request shares the bridges’ limit', async () => {
  const statuses: number[] = [];
  for (let number = 0; number < 1_000; number++) {
    const { status } = await send(
      server.url,
      modern(server.bridgeToken, 'tools/list', {}, { headers: bridgeNamed(number) }),
    );
    statuses.push(status);
  }
  expect(statuses.filter(status => status === 200)).toHaveLength(960);
  expect(statuses.filter(status => status === 429)).toHaveLength(40);
  // It only counts for the bridges.
  expect((await send(server.url, modern(await server.token(), 'tools/list'))).status).toBe(200);
}, 60_000);

test('endless bodies hold the memory of eight, and block nobody else', async () => {
  const token = await server.token();
  const stalled: RawConnection[] = [];
  for (let number = 0; number < 20; number++) {
    const raw = await openRaw(server.http.port);
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    raw.write(`${head}Content-Length: 1000000\r\n\r\n`);
    stalled.push(raw);
  }
  await until(() => stalled.filter(raw => raw.received().includes('429')).length === 12, 'twelve were refused');
  expect((await send(server.url, modern(await server.token(), 'tools/list'))).status).toBe(200);
  for (const raw of stalled) raw.end();
  await until(
    () => admission.concurrency.begin({ id: server.idOf(token), isBridge: false }, 'work') !== null,
    'a slot',
  );
});

test('small endless bodies are requests too: one token holds 48 of them', async () => {
  const token = await server.token();
  const stalled: RawConnection[] = [];
  for (let number = 0; number < 100; number++) {
    const raw = await openRaw(server.http.port);
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    raw.write(`${head}Content-Length: 100\r\n\r\n{`);
    stalled.push(raw);
  }
  await until(() => stalled.filter(raw => raw.received().includes('-33010')).length === 52, 'the others were refused');
  expect((await send(server.url, modern(await server.token(), 'tools/list'))).status).toBe(200);
  for (const raw of stalled) raw.end();
});

test('abandoned calls don’t add up', async () => {
  const token = await server.token();
  for (let round = 0; round < 5; round++) {
    const calls = Array.from({ length: 8 }, async (_, number) => {
      const leaving = new AbortController();
      const { headers = {}, body = '' } = modern(token, 'tools/call', {
        name: 'slow',
        arguments: { name: `${round} ${number}` },
      });
      const sent = fetch(server.url, { method: 'POST', headers, body: String(body), signal: leaving.signal });
      setTimeout(() => leaving.abort(), 20);
      await sent.catch(() => {});
    });
    await Promise.all(calls);
  }
  await until(() => {
    const began = server.slowTool.filter(line => line.startsWith('began')).length;
    return began === server.slowTool.filter(line => line.startsWith('ended')).length;
  }, 'all ended');
  expect((await send(server.url, modern(token, 'tools/list'))).status).toBe(200);
});
