/**
 * A request gives back what it took, however it ends: more requests run than there are places, and
 * a watch ends with its answer.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bridgeLimits } from '../../bridge/bridge-limits.ts';
import { modern, pause } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { answerWith, sendJson, type TestPeer } from './test-peer.ts';

const more = bridgeLimits.maxConnections + 8;

let scratch: Scratch;
let peer: TestPeer;
beforeEach(async () => {
  scratch = new Scratch();
  peer = await scratch.peer();
});
afterEach(() => scratch.clean());

test('requests that met a closed port', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(modern('first', 'tools/list'));
  const { port } = peer;
  await peer.closeHttp();
  for (let id = 0; id < more; id++) {
    expect((await bridge.ask(modern(id, 'tools/call', { name: 'x' }))).error?.message).toContain('not running');
  }
  await peer.startHttp(port);
  expect(await bridge.ask(modern('last', 'tools/list'))).toHaveProperty('result');
});

test('requests whose token was refused at length', async () => {
  const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -33009, message: 'x'.repeat(200_000) } });
  let refused = 0;
  peer.answering = (received, response) => {
    if (received.body.includes('first of two') && refused++ % 2 === 0) sendJson(response, 401, refusal);
    else answerWith(response, received, {});
  };
  const bridge = scratch.bridge();
  for (let id = 0; id < more; id++) {
    expect(await bridge.ask(modern(id, 'tools/call', { name: 'first of two' }))).toHaveProperty('result');
  }
  expect(refused).toBe(2 * more);
});

test('the watch over an answer', async () => {
  const bridge = scratch.bridge();
  for (let id = 0; id < 3; id++) await bridge.ask(modern(id, 'tools/list'));
  const asked = peer.identifies.length;
  // A watch that continued would have asked by then.
  await pause(1.3 * bridgeLimits.watchMilliseconds);
  expect(peer.identifies.length).toBe(asked);
});
