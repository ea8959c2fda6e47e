/**
 * When a proven access reads the handshake file again: by the wall clock, since a laptop may have
 * slept. Only the date is faked.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DaemonAccess } from '../../bridge/daemon/daemon-access.ts';
import { lookAround } from '../../bridge/daemon/trust.ts';
import { until } from '../waiting/until.ts';
import { Scratch } from './scratch.ts';
import { newToken, type TestPeer } from './test-peer.ts';

const minute = 60_000;

let scratch: Scratch;
let peer: TestPeer;
let access: DaemonAccess;
const clock = Date.now;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
  const { standing, link } = await lookAround(scratch.home, 2_000);
  if (standing.kind !== 'proven' || link === null) throw new Error(standing.kind);
  access = new DaemonAccess(scratch.home, link, standing.handshake);
  scratch.onEnd(() => access.drop());
});
afterEach(async () => {
  Date.now = clock;
  await scratch.clean();
});

function later(milliseconds: number): void {
  const now = Date.now() + milliseconds;
  Date.now = () => now;
}

test.each([
  ['long before the end the token is kept', 50 * minute, false],
  ['shortly before the end its successor is taken up', 56 * minute, true],
  ['long after the end too', 600 * minute, true],
])('%s', async (_, elapsed, isNew) => {
  const first = access.token;
  peer.rotate();
  later(elapsed);
  await access.keepFresh();
  expect(access.token).toBe(isNew ? peer.token : first);
  expect(access.isVoid).toBe(false);
});

test('a successor that was never proven isn’t used', async () => {
  peer.writeHandshake({ token: newToken() });
  later(56 * minute);
  await access.keepFresh();
  expect(access.isVoid).toBe(true);
});

test('a token without a successor isn’t checked at each request', async () => {
  later(56 * minute);
  const before = peer.identifies.length;
  for (let i = 0; i < 10; i++) await access.keepFresh();
  expect(peer.identifies.length).toBe(before + 1);
});

test('giving up keeps no connection', async () => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const connections = await access.connections();
  const response = await connections.send(
    () => ({ headers: {}, body }),
    new AbortController().signal,
    () => {},
  );
  while ((await response.next()) !== null);
  expect(await peer.connectionCount()).toBe(1);
  access.drop();
  await until(async () => (await peer.connectionCount()) === 0, 'its connection is gone');
});
