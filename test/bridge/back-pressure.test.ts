/**
 * Slow readers on either side (spec §15): the bridge takes in only what it can hold, and still
 * notices its client's end.
 */

import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bridgeLimits } from '../../bridge/bridge-limits.ts';
import { needsLinux } from '../needs.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { until, untilStill } from '../waiting/until.ts';
import { type BridgeProcess, legacy, modern, pause } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { idOf, sendJson, type TestPeer } from './test-peer.ts';

const mebibyte = 1024 * 1024;
/**
 * The memory of Node itself, what the bridge may hold (bridge/bridge-limits.ts), and what isn't
 * collected yet.
 */
const mostMebibytes = 250;

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

function peakMebibytes({ child }: BridgeProcess): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/**
 * Writes until nothing has been taken for a while.
 * @returns how many bytes were taken.
 */
async function writeUntilStuck(bridge: BridgeProcess, line: string, mostBytes: number): Promise<number> {
  const { stdin } = bridge.child;
  if (stdin === null) throw new Error('The bridge has no stdin.');
  const bytes = Buffer.from(`${line}\n`);
  for (let sent = 0; sent < mostBytes; sent += bytes.length) {
    if (stdin.write(bytes)) continue;
    const drained = new Promise<true>(resolve => stdin.once('drain', () => resolve(true)));
    if ((await Promise.race([drained, pause(1_000)])) !== true) return sent;
  }
  return mostBytes;
}

needsLinux.test(
  'a client that keeps asking and reads nothing is no longer read',
  async () => {
    const bridge = scratch.bridge();
    await bridge.ask(legacy('first', 'ping'));
    bridge.child.stdout?.pause();
    const taken = await writeUntilStuck(bridge, JSON.stringify(legacy(1, 'ping')), 200 * mebibyte);
    expect(taken).toBeLessThan(40 * mebibyte);
    expect(peakMebibytes(bridge)).toBeLessThan(mostMebibytes);
    bridge.child.stdout?.resume();
    bridge.send(legacy('last', 'ping'));
    expect((await bridge.answer('last', 60_000)).result).toEqual({});
  },
  120_000,
);

needsLinux.test(
  'a daemon slow with ten-megabyte requests: the bridge holds a few of them',
  async () => {
    const held: (() => void)[] = [];
    peer.answering = (received, response) => {
      held.push(() => sendJson(response, 200, `{"jsonrpc":"2.0","id":${idOf(received)},"result":{}}`));
    };
    const bridge = scratch.bridge();
    const padding = 'é'.repeat(5 * mebibyte - 300);
    const requests = 20;
    for (let id = 0; id < requests; id++) bridge.send(modern(id, 'tools/call', { name: 'x', arguments: { padding } }));
    await until(() => held.length > 0, 'the first comes');
    await untilStill(() => held.length, 1_000, 'the bridge takes no more');
    expect(held.length).toBeLessThan(requests / 2);
    const answering = setInterval(() => {
      for (const answer of held.splice(0)) answer();
    }, 20);
    try {
      for (let id = 0; id < requests; id++) await bridge.answer(id, 60_000);
    } finally {
      clearInterval(answering);
    }
    expect(peakMebibytes(bridge)).toBeLessThan(mostMebibytes);
  },
  120_000,
);

needsLinux.test(
  'a client that asks for megabytes and reads none: the bridge holds a few answers, and sends all once they are read',
  async () => {
    const result = `"${'é'.repeat(2 * mebibyte)}"`;
    let turn = Promise.resolve();
    peer.answering = (received, response) => {
      const body = `{"jsonrpc":"2.0","id":${idOf(received)},"result":${result}}`;
      // As the daemon does, which knows the length before it sends.
      response.setHeader('Content-Length', Buffer.byteLength(body));
      // One after another, so the bridge's liveness check is answered in between.
      turn = turn.then(() => sendJson(response, 200, body)).then(() => setImmediate());
    };
    const bridge = scratch.bridge();
    const requests = bridgeLimits.maxConnections + 8;
    bridge.child.stdout?.pause();
    for (let id = 0; id < requests; id++) bridge.send(modern(id, 'tools/call', { name: 'x' }));
    await until(() => peer.received.length > 0, 'the first is asked');
    await untilStill(() => peer.received.length, 1_000, 'the bridge asks no more');
    expect(peer.received.length).toBeLessThan(requests);
    // The answers of all connections at once would need more than twice that.
    expect(peakMebibytes(bridge)).toBeLessThan(110);
    bridge.child.stdout?.resume();
    await until(() => bridge.lines.length === requests, 'all are answered', 60);
    expect(bridge.lines.every(line => line.endsWith('é"}'))).toBe(true);
  },
  120_000,
);

test('a burst of requests opens only as many connections as the bridge may have', async () => {
  const sockets = new Set<unknown>();
  const held: (() => void)[] = [];
  peer.answering = (received, response) => {
    sockets.add(response.socket);
    held.push(() => sendJson(response, 200, `{"jsonrpc":"2.0","id":${idOf(received)},"result":{}}`));
  };
  const bridge = scratch.bridge();
  const requests = 200;
  for (let id = 0; id < requests; id++) bridge.send(modern(id, 'tools/call', { name: 'x' }));
  await until(() => held.length >= bridgeLimits.maxConnections, 'every connection has a request');
  // Time enough for one more.
  await pause(200);
  expect(held.length).toBe(bridgeLimits.maxConnections);
  // A call that gives itself less time is told that it wasn't sent.
  const short = { name: 'x', arguments: { timeout_seconds: 2 } };
  expect((await bridge.ask(modern('short', 'tools/call', short))).error).toEqual({
    code: -33000,
    message:
      'This client has 32 requests under way, and the turn of this one did not come within 2 s, so it was not sent. Send it again when some of them have been answered.',
    data: { reason: 'busy' },
  });
  // Requests that wait for a connection are given up like those that have one.
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: requests - 1 } });
  const answering = setInterval(() => {
    for (const answer of held.splice(0)) answer();
  }, 20);
  try {
    for (let id = 0; id < requests - 1; id++) await bridge.answer(id, 60_000);
  } finally {
    clearInterval(answering);
  }
  expect(sockets.size).toBeLessThanOrEqual(bridgeLimits.maxConnections + 2);
  expect(peer.received).toHaveLength(requests - 1);
}, 120_000);

test.each([
  ['nothing is answered', false],
  ['nothing is read', true],
])(
  'stdin ends while %s and more was asked than is accepted',
  async (_, unread) => {
    peer.answering = () => {};
    const bridge = scratch.bridge();
    await bridge.ask(legacy('first', 'ping'));
    if (unread) bridge.child.stdout?.pause();
    const count = unread ? 120_000 : 600;
    const line = `${JSON.stringify(unread ? legacy(1, 'ping') : modern(1, 'tools/call', { name: 'x' }))}\n`;
    bridge.write(line.repeat(count));
    bridge.child.stdin?.end();
    const { stdin } = bridge.child;
    await until(() => stdin?.writableFinished === true, 'the bridge has read all of it');
    const began = performance.now();
    expect(await Promise.race([bridge.exited, pause(here(5_000)).then(() => 'still there')])).toBe(0);
    expectWithin(began, 1_500);
  },
  60_000,
);
