/**
 * The bridge ends with its client, however that shows, and leaves nothing behind. Times are
 * generous since other work shares the machine.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectWithin, here } from '../waiting/limits.ts';
import { until, untilStill } from '../waiting/until.ts';
import { type BridgeProcess, installBridge, legacy, modern, pause } from './bridge-process.ts';
import { Scratch } from './scratch.ts';
import { sendEvent, type TestPeer } from './test-peer.ts';

const soonMilliseconds = 1_500;

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.clean());

async function endsSoon(bridge: BridgeProcess): Promise<void> {
  const began = performance.now();
  expect(await Promise.race([bridge.exited, pause(here(5_000)).then(() => 'still there')])).toBe(0);
  expectWithin(began, soonMilliseconds);
}

async function inACall(): Promise<{ bridge: BridgeProcess; peer: TestPeer }> {
  const peer = await scratch.peer();
  peer.answering = (_, response) =>
    void sendEvent(response, '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
  const bridge = scratch.bridge();
  bridge.send(modern(1, 'tools/call', { name: 'x' }));
  await bridge.line(message => message.method === 'notifications/progress');
  return { bridge, peer };
}

test('stdin ends while idle', async () => {
  const bridge = scratch.bridge();
  await bridge.ask(legacy(1, 'ping'));
  bridge.child.stdin?.end();
  await endsSoon(bridge);
});

test('stdin ends during a call: the daemon sees the connection close', async () => {
  const { bridge, peer } = await inACall();
  bridge.child.stdin?.end();
  await endsSoon(bridge);
  await until(() => peer.dropped > 0, 'the daemon sees the connection go');
  expect(peer.dropped).toBe(1);
});

test('a request just before the end of stdin is still answered', async () => {
  await scratch.peer();
  const bridge = scratch.bridge();
  await bridge.ask(modern(1, 'tools/list'));
  bridge.send(modern(2, 'tools/list'));
  bridge.child.stdin?.end();
  await endsSoon(bridge);
  expect(bridge.lines).toHaveLength(2);
});

test('stdin ends during a launch', async () => {
  mkdirSync(scratch.home, { mode: 0o700 });
  const bridge = scratch.bridge('#!/bin/sh\ntouch "$SALLYPORT_HOME/launched"\n');
  bridge.send(modern(1, 'tools/list'));
  await until(() => existsSync(join(scratch.home, 'launched')), 'a daemon is launched');
  bridge.child.stdin?.end();
  await endsSoon(bridge);
});

test('stdin ends while stdout is full and unread', async () => {
  const { bridge, peer } = await inACall();
  bridge.child.stdout?.pause();
  const event = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${'x'.repeat(500_000)}"}}`;
  let unsent = () => 0;
  peer.answering = (_, response) => {
    for (let i = 0; i < 20; i++) sendEvent(response, event);
    unsent = () => response.writableLength;
  };
  bridge.send(modern(2, 'tools/call', { name: 'x' }));
  await until(() => unsent() > 0, 'the answer is on its way');
  await untilStill(unsent, 300, 'the bridge takes no more of it');
  expect(unsent()).toBeGreaterThan(0);
  bridge.child.stdin?.end();
  await endsSoon(bridge);
});

test('stdout breaks', async () => {
  const { bridge, peer } = await inACall();
  bridge.child.stdout?.destroy();
  peer.answering = (_, response) => void sendEvent(response, '{"jsonrpc":"2.0","method":"x"}');
  bridge.send(modern(2, 'tools/call', { name: 'x' }));
  await endsSoon(bridge);
});

/**
 * A client that starts the bridge through another process and keeps the bridge's stdin open itself,
 * so stdin doesn't end.
 */
async function startedByAnother(
  daemonScript: string | null,
  more = '',
): Promise<{ parent: ChildProcess; pid: number }> {
  const main = installBridge(join(scratch.folder, 'install'), daemonScript);
  const parentCode = `
    const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(main)}], { stdio: 'inherit' });
    process.stderr.write(String(child.pid));
    ${more}
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', parentCode], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, SALLYPORT_HOME: scratch.home },
  });
  const pid = await new Promise<number>(resolve => parent.stderr.once('data', text => resolve(Number(text))));
  scratch.onEnd(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    parent.kill('SIGKILL');
    parent.stdin.destroy();
  });
  return { parent, pid };
}

async function isGoneSoon(pid: number): Promise<void> {
  const began = performance.now();
  await until(() => !isAlive(pid), 'the bridge has ended', 5);
  expectWithin(began, soonMilliseconds);
}

describe('the parent dies and another process keeps stdin open', () => {
  const ask = (parent: ChildProcess, method: string) =>
    parent.stdin?.write(`${JSON.stringify(modern(1, method, { name: 'x' }))}\n`);

  test('while the bridge is idle', async () => {
    await scratch.peer();
    const { parent, pid } = await startedByAnother(null);
    const answered = new Promise(resolve => parent.stdout?.once('data', resolve));
    ask(parent, 'tools/list');
    await answered;
    parent.kill('SIGKILL');
    await isGoneSoon(pid);
  });

  test('during a call: the daemon sees the connection close', async () => {
    const peer = await scratch.peer();
    peer.answering = () => {};
    const { parent, pid } = await startedByAnother(null);
    ask(parent, 'tools/call');
    await until(() => peer.received.length > 0, 'the daemon is asked');
    parent.kill('SIGKILL');
    await isGoneSoon(pid);
    await until(() => peer.dropped > 0, 'the daemon sees the connection go');
    expect(peer.dropped).toBe(1);
  });

  test('during a launch', async () => {
    mkdirSync(scratch.home, { mode: 0o700 });
    const { parent, pid } = await startedByAnother('#!/bin/sh\ntouch "$SALLYPORT_HOME/launched"\n');
    ask(parent, 'tools/list');
    await until(() => existsSync(join(scratch.home, 'launched')), 'a daemon is launched');
    parent.kill('SIGKILL');
    await isGoneSoon(pid);
  });

  test('by itself, so the bridge goes to another', async () => {
    const peer = await scratch.peer();
    peer.answering = () => {};
    const { parent, pid } = await startedByAnother(null, "process.on('SIGUSR2', () => process.exit(0));");
    ask(parent, 'tools/call');
    await until(() => peer.received.length > 0, 'the daemon is asked');
    parent.kill('SIGUSR2');
    await isGoneSoon(pid);
  });
});

test('SIGTERM ends it like any program', async () => {
  const { bridge } = await inACall();
  bridge.child.kill('SIGTERM');
  expect(await bridge.exited).toBeNull();
  expect(bridge.child.signalCode).toBe('SIGTERM');
});

/** A process that has ended but isn't reaped yet isn't alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
