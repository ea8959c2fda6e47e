/**
 * A thousand clients listen over real sockets: one change soon reaches those that may know, and a
 * client that doesn't read costs nothing.
 */

import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConnectionRegister, loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { openResourceNotifier, type ResourceNotifier } from '../../../daemon/clients/mcp/resource-notifier.ts';
import { connectionWith } from '../../access/principals.ts';
import { here } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { unlimitedAdmission } from './admission-for-tests.ts';
import { type EventReader, listen } from './event-reader.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { modern, openRaw } from './wire.ts';

const tokens = 10;
const ofEach = 100;

let server: RunningServer;
let connections: ConnectionRegister;
let changes: ResourceNotifier;
const shop = connectionWith({ name: 'shop' });

beforeAll(async () => {
  connections = await loadConnectionRegister({
    load: async () => [shop],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  changes = openResourceNotifier({
    connections,
    firstUses: { onAllowed() {} },
    accessRequests: { onAnswered() {} },
    now: Date.now,
  });
  const admission = unlimitedAdmission();
  server = await runServer({}, admission, undefined, undefined, [], changes);
});
afterAll(() => server.stop());

test('one change reaches all of them, and none that may not know', async () => {
  const minted = await Promise.all(
    Array.from({ length: tokens }, async (_, index) => {
      const { plaintext } = await server.tokens.mint({
        name: `t${index}`,
        scope: 'readOnly',
        expires: 1,
        confirmInClient: false,
        client: null,
        connections: index % 2 === 0 ? 'all' : ['00000000-0000-4000-8000-000000000000'],
      });
      return plaintext;
    }),
  );
  const readers: { readonly mayKnow: boolean; readonly reader: EventReader }[] = [];
  // One token after another: this process is server and clients, and all at once would be late with
  // their headers.
  for (const [index, token] of minted.entries()) {
    const wanted = { resourcesListChanged: true };
    const ofToken = await Promise.all(Array.from({ length: ofEach }, () => listen(server.url, token, wanted)));
    readers.push(...ofToken.map(reader => ({ mayKnow: index % 2 === 0, reader })));
  }
  const start = performance.now();
  await connections.save({ ...shop, name: 'shop-2' }, connections.find(shop.id));
  const told = performance.now() - start;
  const knowing = readers.filter(({ mayKnow }) => mayKnow).map(({ reader }) => reader);
  await until(() => knowing.every(({ heard }) => heard.length === 2), 'all are told');
  expect(told).toBeLessThan(here(500));
  expect(readers.filter(({ mayKnow }) => !mayKnow).every(({ reader }) => reader.heard.length === 1)).toBe(true);
  for (const { reader } of readers) reader.leave();
}, 60_000);

test('one that doesn’t read is owed one line, however much happens', async () => {
  const { headers = {}, body = '' } = modern(await server.token(), 'subscriptions/listen', {
    notifications: { resourcesListChanged: true },
  });
  const raw = await openRaw(server.http.port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`);
  await raw.until('acknowledged');
  raw.socket.pause();
  // 25 MB for all: more than any buffer of the system holds.
  for (let change = 0; change < 120_000; change++) {
    await connections.save({ ...shop, name: `shop-${change % 7}` }, connections.find(shop.id));
    // So each can go out on its own.
    await setImmediate();
  }
  raw.socket.resume();
  await raw.until('list_changed');
  expect(raw.received().length).toBeLessThan(10 * 1024 * 1024);
  raw.end();
}, 60_000);
