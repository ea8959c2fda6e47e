/**
 * Starting the daemon: when, how often, and with which environment. A script takes its place and
 * writes down what it saw.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { allocatorSettings } from '../../shared/launch.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { legacy, modern, pause } from './bridge-process.ts';
import { Scratch } from './scratch.ts';

const witness =
  '#!/bin/sh\n{ pwd; env; } > "$SALLYPORT_HOME/launched.$$.part"\nmv "$SALLYPORT_HOME/launched.$$.part" "$SALLYPORT_HOME/launched.$$"\n';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
  mkdirSync(scratch.home, { mode: 0o700 });
});
afterEach(() => scratch.clean());

function launches(): string[] {
  return readdirSync(scratch.home).filter(name => /^launched\.\d+$/.test(name));
}

test('many requests share one launch, and are answered once the daemon runs', async () => {
  const bridge = scratch.bridge(witness);
  for (let id = 0; id < 10; id++) bridge.send(modern(id, 'tools/list'));
  await until(() => launches().length > 0, 'a daemon is launched');
  const peer = await scratch.peer();
  for (let id = 0; id < 10; id++) expect((await bridge.answer(id)).error).toBeUndefined();
  expect(peer.received).toHaveLength(10);
  expect(launches()).toHaveLength(1);
});

test('nothing is launched before somebody asks', async () => {
  const bridge = scratch.bridge(witness);
  // The bridge answers this itself; a launched daemon would be seen soon after.
  await bridge.ask(legacy(1, 'ping'));
  await pause(200);
  await bridge.stop();
  expect(launches()).toEqual([]);
});

test('a running daemon isn’t launched again', async () => {
  await scratch.peer();
  await scratch.bridge(witness).ask(modern(1, 'tools/list'));
  expect(launches()).toEqual([]);
});

test('the daemon gets an environment of its own, with only the home from its caller', async () => {
  const bridge = scratch.bridge(witness, {
    HOME: '/nowhere',
    PATH: `/evil:${process.env.PATH}`,
    NODE_OPTIONS: '--max-old-space-size=300',
    PGPASSWORD: 'secret',
    MYSQL_PWD: 'secret',
    LD_LIBRARY_PATH: '/evil',
    TZ: 'Asia/Tokyo',
    LANG: 'tlh',
    XDG_RUNTIME_DIR: '/evil',
  });
  bridge.send(modern(1, 'tools/list'));
  await until(() => launches().length > 0, 'a daemon is launched');
  const [name] = launches();
  const [folder, ...lines] = readFileSync(join(scratch.home, name ?? ''), 'utf8')
    .trim()
    .split('\n');
  const seen = new Map(lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  for (const ofTheScript of ['PWD', 'OLDPWD', 'SHLVL', '_']) seen.delete(ofTheScript);
  expect(folder).toBe('/');
  expect(seen.get('SALLYPORT_HOME')).toBe(scratch.home);
  expect(seen.get('HOME')).toBe(userInfo().homedir);
  expect(seen.get('USER')).toBe(userInfo().username);
  expect(seen.get('PATH')).not.toContain('/evil');
  expect(seen.get('LANG')).toBe('C.UTF-8');
  expect(Object.fromEntries(seen)).toMatchObject(allocatorSettings);
  expect(seen.get('TZ')).not.toBe('Asia/Tokyo');
  const allowed = [
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'PATH',
    'LANG',
    'TZ',
    'SALLYPORT_HOME',
    ...Object.keys(allocatorSettings),
  ];
  const ofTheUser = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  expect([...seen.keys()].filter(key => !allowed.includes(key) && !ofTheUser.includes(key))).toEqual([]);
  expect(seen.get('XDG_RUNTIME_DIR') ?? '').not.toContain('/evil');
});

test('HOME differs from the account’s: the daemon is told where the bridge looks for it', async () => {
  const home = join(scratch.folder, '.local', 'share', 'sallyport');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const bridge = scratch.bridge(witness, { HOME: scratch.folder, SALLYPORT_HOME: '' });
  bridge.send(modern(1, 'tools/list'));
  await until(() => readdirSync(home).some(name => /^launched\.\d+$/.test(name)), 'the daemon is launched there');
});

test('a failed launch is reported at once, with how it ended', async () => {
  const bridge = scratch.bridge('#!/bin/sh\nexit 3\n');
  const began = performance.now();
  const { error } = await bridge.ask(modern(1, 'tools/list'));
  expectWithin(began, 3_000);
  expect(error).toEqual({
    code: -33009,
    message:
      'Sallyport is not running and could not be started (sallyportd ended with exit code 3). Open Sallyport, or run `sallyport start`, then try again.',
  });
  expect(bridge.stderr).toBe(`${error?.message}\n`);
});

test('a daemon that takes too long: on macOS the sentence says that the system may still be checking it, elsewhere it does not', async () => {
  const mac = new Scratch();
  mkdirSync(mac.home, { mode: 0o700 });
  scratch.onEnd(() => mac.clean());
  const asMac = join(mac.folder, 'as-mac.cjs');
  writeFileSync(asMac, "Object.defineProperty(process, 'platform', { value: 'darwin' });\n");
  const slow = '#!/bin/sh\nexec sleep 12\n';
  const bridges = [scratch.bridge(slow), mac.bridge(slow, { NODE_OPTIONS: `--require ${asMac}` })];
  const began = performance.now();
  const answers = await Promise.all(bridges.map(bridge => bridge.ask(modern(1, 'tools/list'), 14_000)));
  expectWithin(began, 11_000);
  const doIt = 'Open Sallyport, or run `sallyport start`, then try again.';
  expect(answers.map(({ error }) => error?.message)).toEqual([
    `Sallyport is not running and could not be started. ${doIt}`,
    `Sallyport is not running and could not be started (it did not answer within 10 s; macOS may still be checking Sallyport). ${doIt}`,
  ]);
}, 30_000);

test('a call that is shorter than the start is told so; the start goes on for the others', async () => {
  const bridge = scratch.bridge(witness);
  bridge.send(modern(1, 'tools/list'));
  await until(() => launches().length > 0, 'a daemon is launched');
  const call = modern(2, 'tools/call', { name: 'execute_query', arguments: { timeout_seconds: 0.3 } });
  expect((await bridge.ask(call)).error?.message).toMatch(
    /^Sallyport is starting: it did not answer within 0\.3 s, so /,
  );
  const peer = await scratch.peer();
  expect((await bridge.answer(1)).error).toBeUndefined();
  expect(peer.received).toHaveLength(1);
});

test('an install without a daemon says so at once', async () => {
  const { error } = await scratch.bridge().ask(modern(1, 'tools/list'), 5_000);
  expect(error?.message).toMatch(/^Sallyport is not running and could not be started \(sallyportd is missing /);
});

test('a request cancelled during the launch gets no answer', async () => {
  const bridge = scratch.bridge(witness);
  bridge.send(modern(1, 'tools/list'));
  await until(() => launches().length > 0, 'a daemon is launched');
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const peer = await scratch.peer();
  await bridge.ask(modern(2, 'tools/list'));
  expect(bridge.lines).toHaveLength(1);
  expect(peer.received).toHaveLength(1);
});
