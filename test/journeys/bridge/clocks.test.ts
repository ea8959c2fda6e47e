/**
 * Tokens over time, with the real daemon and the built bridge on clocks that a test sets: rotation,
 * expiry, a sleeping laptop.
 */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readHandshake } from '../../../shared/handshake.ts';
import { locationsIn } from '../../../shared/locations.ts';
import { BridgeProcess, modern, pause } from '../../bridge/bridge-process.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';
import { type Clock, startClockedDaemon } from '../daemon/clocked-daemon.ts';

const main = join(import.meta.dirname, '..', '..', '..', 'build', 'bridge', 'main.js');
const minute = 60;
const list = (id: number) => modern(id, 'tools/list');

let home: RealHome;
let clock: Clock;
const bridges: BridgeProcess[] = [];
beforeEach(async () => {
  home = realHome();
  clock = await startClockedDaemon(home);
}, 60_000);
afterEach(async () => {
  await Promise.all(bridges.splice(0).map(bridge => bridge.stop()));
  await home.clean();
});

/** @param sharesClock true for the daemon's clock; else it uses the system's. */
function bridgeOf(sharesClock: boolean): BridgeProcess {
  const before = sharesClock ? ['--import', join(home.folder, 'clock.mjs')] : [];
  const bridge = new BridgeProcess([process.execPath, ...before, main], home.home);
  bridges.push(bridge);
  return bridge;
}

function token(): string {
  const read = readHandshake(locationsIn(home.home).handshake);
  if (read.kind !== 'read') throw new Error(read.kind);
  return read.handshake.token;
}

async function served(bridge: BridgeProcess, id: number): Promise<void> {
  const { error } = await bridge.ask(list(id), 30_000);
  expect(error).toBeUndefined();
}

test('the token is rotated meanwhile, and the old one ends: no request is lost, and no message appears', async () => {
  const bridge = bridgeOf(false);
  await served(bridge, 1);
  const tokens = [token()];
  // By the bridge's own clock its token is valid for an hour: only the daemon's refusal says
  // otherwise.
  for (let hours = 1; hours <= 3; hours++) {
    clock.setAheadSeconds(hours * 61 * minute);
    await served(bridge, 1 + hours);
    tokens.push(token());
  }
  expect(new Set(tokens).size).toBe(4);
  expect(bridge.stderr).toBe('');
}, 60_000);

test('near its end the token is exchanged before a refusal', async () => {
  const bridge = bridgeOf(true);
  await served(bridge, 1);
  const first = token();
  clock.setAheadSeconds(56 * minute);
  await served(bridge, 2);
  expect(token()).not.toBe(first);
}, 60_000);

test.each([
  ['bridge and daemon sleep', true],
  ['the bridge alone sleeps', false],
])(
  '%s past the end of the token, with a question that waits in the pipe',
  async (_, bothSleep) => {
    const bridge = bridgeOf(true);
    await served(bridge, 1);
    const first = token();
    const daemons = bothSleep ? home.daemons() : [];
    bridge.child.kill('SIGSTOP');
    for (const pid of daemons) process.kill(pid, 'SIGSTOP');
    clock.setAheadSeconds(9 * 60 * minute);
    const answered = bridge.ask(list(2), 30_000);
    await until(() => bridge.child.stdin?.writableLength === 0, 'the question is in the pipe');
    for (const pid of daemons) process.kill(pid, 'SIGCONT');
    bridge.child.kill('SIGCONT');
    expect((await answered).error).toBeUndefined();
    expect(token()).not.toBe(first);
    await served(bridge, 3);
  },
  60_000,
);

test('a bridge that starts after the sleep finds an expired handshake, and is served', async () => {
  const first = token();
  const [pid] = home.daemons();
  if (pid === undefined) throw new Error('No daemon runs.');
  process.kill(pid, 'SIGSTOP');
  clock.setAheadSeconds(9 * 60 * minute);
  const bridge = bridgeOf(true);
  bridge.send(list(1));
  // No event tells that it has started, read its modules and found the handshake.
  await pause(500);
  process.kill(pid, 'SIGCONT');
  expect((await bridge.answer(1, 30_000)).error).toBeUndefined();
  expect(token()).not.toBe(first);
}, 60_000);
