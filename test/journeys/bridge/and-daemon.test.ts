/** The built bridge finds, starts, loses and finds the real daemon again. */

import { afterEach, expect, test } from '@jest/globals';
import { modern } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { signalEach } from '../../servers/daemons.ts';
import { unreadBytes } from '../../waiting/tcp-sockets.ts';
import { until } from '../../waiting/until.ts';
import { busyChildrenOf } from '../databases/three-engines.ts';

const list = (id: number) => modern(id, 'tools/list');

let home: RealHome;
afterEach(() => home.clean());

test('the daemon is killed between two calls: the next call through the same bridge works', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  expect((await bridge.ask(list(1))).error).toBeUndefined();
  const before = home.handshake();
  signalEach(home.daemons(), 'SIGKILL');
  expect((await bridge.ask(list(2))).error).toBeUndefined();
  expect(home.handshake()?.instance).not.toBe(before?.instance);
}, 60_000);

test('the daemon is killed with an unread request: its successor runs it', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  await bridge.ask(list(1));
  const pids = home.daemons();
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  bridge.send(list(2));
  await until(() => unreadBytes(home.handshake()?.port ?? 0) > 0, 'the request waits to be read');
  signalEach(pids, 'SIGKILL');
  expect((await bridge.answer(2)).error).toBeUndefined();
}, 60_000);

test('the daemon is killed during a call: the client is told, and it isn’t done again', async () => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
  const bridge = home.bridge();
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  bridge.send(modern(1, 'tools/call', { name: 'execute_query', arguments: { connection: 'Demo', sql } }));
  const daemon = home.handshake()?.pid ?? 0;
  await until(async () => (await busyChildrenOf(daemon)).length > 0, 'the statement runs');
  signalEach(home.daemons(), 'SIGKILL');
  const { error } = await bridge.answer(1);
  expect(error?.code).toBe(-33000);
  expect(error?.message).toContain('may or may not have been carried out');
  expect((await bridge.ask(list(2))).error).toBeUndefined();
}, 60_000);

test('the daemon is stopped cleanly and started again: the bridge follows', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  await bridge.ask(list(1));
  await home.end('SIGTERM');
  expect(home.handshake()).toBeNull();
  expect((await bridge.ask(list(2))).error).toBeUndefined();
}, 60_000);

test('five bridges started at the same moment: one daemon, everybody answered', async () => {
  home = new RealHome();
  const bridges = Array.from({ length: 5 }, () => home.bridge());
  const answers = await Promise.all(bridges.map(bridge => bridge.ask(list(1), 30_000)));
  expect(answers.map(answer => answer.error)).toEqual(bridges.map(() => undefined));
  await until(() => home.daemons().length === 1, 'one daemon is left');
  expect(home.daemons()).toEqual([home.handshake()?.pid]);
}, 60_000);

test('a home whose path is 150 bytes long', async () => {
  home = new RealHome(150);
  expect(Buffer.byteLength(home.home)).toBe(150);
  expect((await home.bridge().ask(list(1))).error).toBeUndefined();
}, 60_000);

test('the daemon outlives the bridge that started it, and sees nothing of its environment', async () => {
  home = new RealHome();
  const bridge = home.bridge();
  await bridge.ask(list(1));
  await bridge.stop();
  expect(home.daemons()).toHaveLength(1);
  const second = home.bridge();
  const { pid } = home.handshake() ?? {};
  await second.ask(list(1));
  expect(home.handshake()?.pid).toBe(pid);
}, 60_000);
