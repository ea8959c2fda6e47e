/**
 * The GET of a session of the 2025 revisions at the real HTTP server: counted as a subscription,
 * and never longer than its session, its token or its reader. The notifier is the test's own, so it
 * sees who listens.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../waiting/until.ts';
import { type ClockedAdmission, clockedAdmission, noPairings } from './admission-for-tests.ts';
import { type EventReader, listenInSession } from './event-reader.ts';
import { type RunningServer, runServer } from './running-server.ts';
import { modern, openRaw, openSession, send } from './wire.ts';

let admission: ClockedAdmission;
let server: RunningServer;
let token: string;
const listeners = new Set<() => void>();
beforeEach(async () => {
  admission = clockedAdmission();
  const notifier = {
    listen: (_listener: unknown, tell: () => void) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
  server = await runServer({}, admission, noPairings, undefined, [], notifier);
  token = await server.token();
});
afterEach(() => server.stop());

const open = async (as = token): Promise<EventReader> =>
  listenInSession(server.url, as, await openSession(server.url, as));
const nobody = () => until(() => listeners.size === 0, 'nobody listens');

test('many at once: as many as subscriptions may be, and one is free once its reader left', async () => {
  const most = admission.limits.concurrentRequests;
  const readers: EventReader[] = [];
  for (let count = 0; count < most; count++) readers.push(await open());
  expect(readers.map(({ status }) => status)).toEqual(Array(most).fill(200));
  expect((await open()).status).toBe(429);
  // They take no place of its calls.
  expect((await send(server.url, modern(token, 'tools/list'))).status).toBe(200);
  for (const tell of listeners) tell();
  await until(() => readers.every(({ heard }) => heard.length === 1), 'each is told');
  for (const reader of readers) reader.leave();
  await nobody();
  expect((await open()).status).toBe(200);
});

test('more sessions than a principal may have: the displaced one’s stream ends with it', async () => {
  const first = await open();
  for (let count = 0; count < 16; count++) await openSession(server.url, token);
  await until(() => first.isOver(), 'its session has ended');
  await nobody();
});

test('a session whose stream is taken over again and again has one', async () => {
  const session = await openSession(server.url, token);
  const readers: EventReader[] = [];
  for (let count = 0; count < 20; count++) {
    readers.push(await listenInSession(server.url, token, session));
    await until(() => readers.slice(0, -1).every(reader => reader.isOver()), 'the earlier ones are over');
  }
  expect(readers.at(-1)).toMatchObject({ status: 200 });
  expect(listeners.size).toBe(1);
});

test('a reader that reads nothing is owed one line, however often there is something to tell', async () => {
  const session = await openSession(server.url, token);
  const raw = await openRaw(server.http.port);
  const lines = Object.entries({ ...session, Authorization: `Bearer ${token}`, Accept: 'text/event-stream' });
  raw.socket.pause();
  raw.write(
    `GET /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  await until(() => listeners.size === 1, 'it listens');
  for (let count = 0; count < 100_000; count++) for (const tell of listeners) tell();
  raw.socket.resume();
  await raw.until('list_changed');
  expect(raw.received().split('list_changed').length).toBeLessThan(1_000);
  raw.end();
  await nobody();
});

test('an expired token’s stream ends', async () => {
  const reader = await open();
  server.advanceSeconds(86_401);
  await until(() => reader.isOver(), 'it is over');
  await nobody();
});

test('a stop ends all, and doesn’t wait for them', async () => {
  const reader = await open();
  await server.http.close(60_000);
  await until(() => reader.isOver(), 'it is over');
  expect(reader.heard).toEqual([]);
});

test('each counts as a request, so opening them in a loop meets the limit', async () => {
  const session = await openSession(server.url, token);
  const statuses = new Set<number>();
  for (let count = 0; count < admission.limits.requestsPerMinute; count++) {
    const reader = await listenInSession(server.url, token, session);
    statuses.add(reader.status);
    reader.leave();
  }
  expect([...statuses].toSorted()).toEqual([200, 429]);
});

test.each<[string, number, Record<string, string>]>([
  ['a version that has no sessions', 400, { 'MCP-Protocol-Version': '2026-07-28' }],
  ['an older version', 400, { 'MCP-Protocol-Version': '2025-03-26' }],
  ['a reader that takes no events', 405, { Accept: 'application/json' }],
  ['a reader that refuses events', 405, { Accept: 'text/event-stream;q=0, */*' }],
  ['a foreign Host', 403, { Host: 'evil.example' }],
  ['a page of the same machine', 403, { Origin: 'http://127.0.0.1' }],
  ['an unknown session', 404, { 'Mcp-Session-Id': 'x' }],
  ['an empty session', 404, { 'Mcp-Session-Id': '' }],
])('%s gets none', async (_what, status, spoiled) => {
  const session = await openSession(server.url, token);
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...session, ...spoiled };
  expect((await send(server.url, { method: 'GET', headers })).status).toBe(status);
  expect(listeners.size).toBe(0);
});

test('another token’s session, and a session of a revoked one', async () => {
  const other = await server.token();
  const session = await openSession(server.url, token);
  expect((await listenInSession(server.url, other, session)).status).toBe(404);
  const reader = await listenInSession(server.url, token, session);
  await server.tokens.revoke(server.idOf(token));
  await until(() => reader.isOver(), 'it is over');
  expect((await listenInSession(server.url, token, session)).status).toBe(401);
  await nobody();
});
