/**
 * The bearer token goes only to an endpoint that proved itself: each case has real files, sockets
 * and listeners.
 */

import { once } from 'node:events';
import { chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { locationsIn } from '../../shared/locations.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { legacy, modern } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { answerWith, sendJson, TestPeer } from './test-peer.ts';

const list = (id: number) => modern(id, 'tools/list');
const params = (seconds: unknown) => ({ name: 'execute_query', arguments: { timeout_seconds: seconds } });
const call = (id: number, seconds: unknown) => modern(id, 'tools/call', params(seconds));

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

/** Listens as a stranger would and keeps all bytes that it was sent. */
async function stranger(port: number): Promise<{ readonly port: number; readonly bytes: () => number }> {
  let bytes = 0;
  const server = createServer(socket => {
    socket.on('data', chunk => {
      bytes += chunk.length;
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  scratch.onEnd(() => new Promise(resolve => server.close(() => resolve())));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, bytes: () => bytes };
}

describe('an endpoint that doesn’t prove everything gets nothing', () => {
  const cases: [string, () => void][] = [
    ['a proof under another token', () => peer.writeHandshake({ token: `sp_${'A'.repeat(43)}` })],
    ['no proof', () => lie(honest => ({ ...honest, proof: undefined }))],
    ['a proof for another port', () => peer.writeHandshake({ port: 1 })],
    ['a proof of another run', () => peer.writeHandshake({ instance: '00000000-0000-4000-8000-000000000000' })],
    ['an answer that is none', () => lie(() => 'yes')],
    ['a file the group can read', () => chmodSync(locationsIn(peer.home).handshake, 0o640)],
    ['a file the world can read', () => peer.writeHandshake({}, 0o604)],
    ['a file that is a link', linkHandshake],
    ['a home the group can write', () => chmodSync(peer.home, 0o770)],
    ['a file that is no handshake', () => peer.writeHandshake({ port: '80' })],
    ['a file of another version', () => peer.writeHandshake({ version: 2 })],
  ];

  test.each(cases)('%s', async (_, spoil) => {
    spoil();
    const bridge = scratch.bridge();
    const { error } = await bridge.ask(list(1));
    expect(error?.code).toBe(-33009);
    expect(error?.message).toMatch(
      /^The local MCP endpoint did not prove it belongs to Sallyport \(.+\)\. Quit Sallyport, delete /,
    );
    expect(error?.message).not.toContain(peer.token);
    expect(bridge.stderr).toBe(`${error?.message}\n`);
    expect(peer.received).toEqual([]);
  });

  function lie(answer: TestPeer['identifying']): void {
    peer.identifying = answer;
  }

  function linkHandshake(): void {
    const { handshake } = locationsIn(peer.home);
    renameSync(handshake, `${handshake}.real`);
    symlinkSync(`${handshake}.real`, handshake);
  }

  test('a handshake that points at a living process without a control socket', async () => {
    const other = await stranger(0);
    await peer.closeControl();
    peer.writeHandshake({ port: other.port });
    const { error } = await scratch.bridge().ask(list(1));
    expect(error?.message).toContain('did not prove it belongs to Sallyport');
    expect(other.bytes()).toBe(0);
  });

  test('a silent control socket is no other program: each is told at the end of its time, ten seconds or the call’s own', async () => {
    peer.identifying = () => undefined;
    const [one, other] = scratch.bridges(2, null);
    if (one === undefined || other === undefined) throw new TypeError('There are two');
    const began = performance.now();
    other.send(legacy(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} }));
    const none = [null, '1', 0, -1, 0.01, 301, [1]].map((seconds, index) => call(10 + index, seconds));
    for (const message of [list(1), ...none, call(2, 2), call(3, 1), legacy(4, 'tools/call', params(0.5)), call(5, 1)])
      one.send(message);
    one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    const busy = (seconds: number) => ({
      code: -33000,
      message: `Sallyport is busy: it did not answer within ${seconds} s, so nothing was sent. Send it again; if it stays so, run \`sallyport doctor\`.`,
      data: { reason: 'busy' },
    });
    for (const [id, seconds] of [
      [4, 0.5],
      [3, 1],
      [2, 2],
    ] as const)
      expect((await one.answer(id)).error).toEqual(busy(seconds));
    expect(one.lines.slice(0, 3).map(line => JSON.parse(line).id)).toEqual([4, 3, 2]);
    for (const answer of [other.answer(1), ...[1, ...none.map(({ id }) => id)].map(id => one.answer(id))])
      expect((await answer).error).toEqual(busy(10));
    expectWithin(began, 11_000);
    expect(one.lines).toHaveLength(4 + none.length);
    expect(peer.received).toEqual([]);
  }, 20_000);

  test('a call doesn’t wait longer for the proof of a further connection', async () => {
    peer.answering = () => {};
    const bridge = scratch.bridge();
    bridge.send(list(1));
    await until(() => peer.received.length === 1, 'the first is sent');
    peer.identifying = () => undefined;
    expect((await bridge.ask(call(2, 0.3))).error?.message).toContain('within 0.3 s, so nothing was sent');
    expect(peer.received).toHaveLength(1);
  });

  test('a wrong proof is told as such at the end of a short call too', async () => {
    peer.identifying = honest => ({ ...honest, proof: 'x' });
    const { error } = await scratch.bridge('#!/bin/sh\nexit 0\n').ask(call(1, 4));
    expect(error?.message).toMatch(/^The local MCP endpoint did not prove it belongs to Sallyport \(/);
    expect(peer.received).toEqual([]);
  });
});

test('a handshake left by a dead process is ignored', async () => {
  await peer.closeControl();
  peer.writeHandshake({ pid: 2 ** 22 - 1 });
  const { error } = await scratch.bridge().ask(list(1));
  expect(error?.message).toMatch(/^Sallyport is not running and could not be started \(.+\)\. Open Sallyport/);
});

test('an expired handshake is asked about, not refused', async () => {
  peer.writeHandshake({ expiresAt: '2020-01-01T00:00:00Z' });
  peer.identifying = honest => {
    peer.writeHandshake();
    return honest;
  };
  expect((await scratch.bridge().ask(list(1))).error).toBeUndefined();
});

test('switched off: answered at once, each time, and used again once it is on', async () => {
  peer.identifying = () => ({ server: 'off', protocol: '2', version: '0.1.0' });
  rmSync(locationsIn(peer.home).handshake);
  const bridge = scratch.bridge('#!/bin/sh\ntouch "$SALLYPORT_HOME/launched"\n');
  for (const id of [1, 2]) expect((await bridge.ask(list(id))).error?.code).toBe(-33006);
  expect(() => readFileSync(`${peer.home}/launched`)).toThrow('ENOENT');
  peer.identifying = honest => honest;
  peer.writeHandshake();
  expect((await bridge.ask(list(3))).error).toBeUndefined();
});

test('switched off meanwhile, and the port taken by another program: that gets no byte', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  const { port } = peer;
  peer.identifying = () => ({ server: 'off', protocol: '2', version: '0.1.0' });
  await peer.closeHttp();
  const other = await stranger(port);
  expect((await bridge.ask(list(2))).error?.code).toBe(-33006);
  expect(other.bytes()).toBe(0);
});

test('when the control connection ends, the proof ends with it', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  await peer.closeControl();
  expect((await bridge.ask(list(2))).error?.message).toContain('did not prove it belongs to Sallyport');
  expect(peer.received).toHaveLength(1);
});

test('a daemon that comes back on another port, with another token, is proven anew', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  await peer.stop();
  const successor = new TestPeer(scratch.home);
  scratch.onEnd(() => successor.stop());
  await successor.start();
  expect((await bridge.ask(list(2))).error).toBeUndefined();
  expect(successor.received[0]?.headers.authorization).toBe(`Bearer ${successor.token}`);
});

test('a daemon that moves to another port with its control connection open is followed', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  const { port } = peer;
  await peer.closeHttp();
  const other = await stranger(port);
  await peer.startHttp();
  peer.writeHandshake();
  expect((await bridge.ask(list(2))).error).toBeUndefined();
  expect(other.bytes()).toBe(0);
});

test('a token rotated meanwhile: the request is sent once more, with the new one', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  peer.rotate();
  demandToken();
  expect((await bridge.ask(list(2))).error).toBeUndefined();
  expect(peer.received.map(({ headers }) => headers.authorization === `Bearer ${peer.token}`)).toEqual([
    false,
    false,
    true,
  ]);
});

test('a token that stays refused is reported in the daemon’s words after two tries', async () => {
  peer.answering = (_, response) =>
    sendJson(response, 401, '{"jsonrpc":"2.0","id":null,"error":{"code":-33009,"message":"No."}}');
  const { error } = await scratch.bridge().ask(list(1));
  expect(error).toEqual({ code: -33009, message: 'No.' });
  expect(peer.received).toHaveLength(2);
});

test('a build without 2026-07-28 is named as such, with its revisions', async () => {
  peer.protocolVersions = ['2025-11-25'];
  peer.writeHandshake();
  const { error } = await scratch.bridge().ask(list(1));
  expect(error?.message).toBe(
    'This Sallyport build does not speak 2026-07-28 (it speaks 2025-11-25). Update Sallyport, then restart it.',
  );
  expect(peer.received).toEqual([]);
});

test('a build with another control protocol is recognised by version', async () => {
  peer.identifying = honest => ({ ...honest, protocol: '3.0', version: '7.1.0' });
  const { error } = await scratch.bridge().ask(list(1));
  expect(error?.message).toMatch(
    /^This bridge \S+ is too old for the running Sallyport 7\.1\.0\. Update the install it belongs to, then restart /,
  );
});

test('no token on stderr or in an answer, whatever happens', async () => {
  peer.answering = (received, response) => {
    if (received.headers.authorization === undefined) answerWith(response, received, {});
    else response.destroy();
  };
  const bridge = scratch.bridge();
  await bridge.ask(list(1));
  expect(bridge.stderr + bridge.lines.join()).not.toContain(peer.token.slice(3));
});

test('a home that is a file, or is under one, is reported in words', async () => {
  await peer.stop();
  rmSync(scratch.home, { recursive: true });
  writeFileSync(scratch.home, '');
  scratch.onEnd(() => rmSync(scratch.home));
  const { error } = await scratch.bridge().ask(list(1));
  expect(error?.code).toBe(-33009);
});

function demandToken(): void {
  peer.answering = (received, response) => {
    if (received.headers.authorization === `Bearer ${peer.token}`) answerWith(response, received, {});
    else sendJson(response, 401, '{"jsonrpc":"2.0","id":null,"error":{"code":-33009,"message":"Stale."}}');
  };
}
