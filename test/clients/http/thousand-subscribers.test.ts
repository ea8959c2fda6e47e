/**
 * A thousand clients listen over real sockets: one change soon reaches those that may know, and a
 * client that doesn't read costs nothing.
 */

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
  changes = openResourceNotifier({ connections, firstUses: { isAllowed: () => true, onAllowed() {} }, now: Date.now });
  const admission = unlimitedAdmission();
  server = await runServer({}, [], admission, undefined, undefined, [], changes);
});
afterAll(() => server.stop());

const uri = `sallyport://connections/${shop.id}/schema`;

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
    const wanted = { resourcesListChanged: true, resourceSubscriptions: [uri] };
    const ofToken = await Promise.all(Array.from({ length: ofEach }, () => listen(server.url, token, wanted)));
    readers.push(...ofToken.map(reader => ({ mayKnow: index % 2 === 0, reader })));
  }
  const start = performance.now();
  await connections.save({ ...shop, name: 'shop-2' }, connections.find(shop.id));
  const told = performance.now() - start;
  const knowing = readers.filter(({ mayKnow }) => mayKnow).map(({ reader }) => reader);
  await until(() => knowing.every(({ heard }) => heard.length === 3), 'all are told');
  expect(told).toBeLessThan(here(500));
  expect(readers.filter(({ mayKnow }) => !mayKnow).every(({ reader }) => reader.heard.length === 1)).toBe(true);
  for (const { reader } of readers) reader.leave();
}, 60_000);

test('one that doesn’t read is owed one line of each kind, however much happens', async () => {
  // Half a megabyte per change, 200 MB for all: more than any buffer of the system holds.
  const uris = Array.from(
    { length: 250 },
    (_, index) => `${uri.replace('/schema', '/tables/')}${index}${'x'.repeat(1_900)}`,
  );
  const { headers = {}, body = '' } = modern(await server.token(), 'subscriptions/listen', {
    notifications: { resourcesListChanged: true, resourceSubscriptions: uris },
  });
  const raw = await openRaw(server.http.port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n${body}`);
  await raw.until('acknowledged');
  raw.socket.pause();
  const before = process.memoryUsage();
  for (let change = 0; change < 400; change++) {
    changes.schemaChanged(shop.id);
    // So each can go out on its own.
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  const after = process.memoryUsage();
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(60 * 1024 * 1024);
  await connections.save({ ...shop, name: 'shop-3' }, connections.find(shop.id));
  raw.socket.resume();
  await raw.until('list_changed');
  expect(raw.received().length).toBeLessThan(30 * 1024 * 1024);
  raw.end();
}, 60_000);
