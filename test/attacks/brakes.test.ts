/**
 * Threat: what the brakes need is missing (the secret, its place, the socket, a private home), and
 * clients go on being served while nobody can take their access away. Each brake is tried with each
 * thing missing, through the built commands; and a peer without proof gets nothing but brakes.
 */

import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../shared/codes.ts';
import { lockHolder } from '../../shared/lock-holder.ts';
import { isAlive } from '../../shared/process-alive.ts';
import { BridgeProcess, modern } from '../bridge/bridge-process.ts';
import { bridgeCommand } from '../bridge/real-home.ts';
import { needs, needsLinux } from '../needs.ts';
import { hangFolder, missingForHangingFolder } from '../servers/hanging-folder.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { rawPeer, request } from '../shells/raw-peer.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';

let home: RealHome;
let planted: Server | null = null;
const inHome = (name: string): string => join(home.home, name);
const socketPath = (): string => inHome('control.sock');

beforeEach(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  const file = join(home.folder, 'shop.db');
  const shop = new SqliteFile(file);
  shop.exec('create table orders (id integer primary key)');
  shop.close();
  await home.json(['connections', 'add', `sqlite://${file}`, '--name', 'Shop', '--external-clients', 'read-write']);
  await home.json(['tokens', 'mint', '--name', 'agent', '--scope', 'full-access']);
  await home.json(['boxes', 'add', 'cell']);
}, 60_000);
afterEach(async () => {
  await new Promise<void>(resolve => (planted === null ? resolve() : planted.close(() => resolve())));
  planted = null;
  chmodSync(home.home, 0o700);
  await home.clean();
}, 60_000);

const missing: Record<string, () => void | Promise<void>> = {
  'secrets.json at 644': () => chmodSync(inHome('secrets.json'), 0o644),
  'secrets.json gone': () => unlinkSync(inHome('secrets.json')),
  'store.json gone': () => unlinkSync(inHome('store.json')),
  'the store gone': () => unlinkSync(inHome('sallyport.db')),
  'the home at 775': () => chmodSync(home.home, 0o775),
  'control.sock gone': () => unlinkSync(socketPath()),
  "control.sock somebody else's": () => plant(socket => void socket.destroy()),
  'control.sock a folder': () => {
    unlinkSync(socketPath());
    mkdirSync(join(socketPath(), 'full'), { recursive: true });
  },
};

async function plant(serve: (socket: Socket) => void): Promise<void> {
  const other = inHome('other.sock');
  const server = createServer(serve);
  planted = server;
  await new Promise<void>(resolve => server.listen(other, resolve));
  renameSync(other, socketPath());
}

describe.each(Object.keys(missing))('with %s', what => {
  test('each brake works, and status tells what it did', async () => {
    const [pid = 0] = home.daemons();
    await missing[what]?.();
    if (what.startsWith('control.sock'))
      await until(async () => (await home.here(['status'])).code === 0, 'the socket is made anew', 2);
    for (const brake of [
      ['connections', 'set', 'Shop', '--external-clients', 'blocked'],
      ['tokens', 'revoke', 'agent'],
      ['boxes', 'revoke', 'cell'],
      ['settings', 'set', 'enabled', 'false'],
    ])
      expect([brake, await home.here(brake)]).toEqual([brake, expect.objectContaining({ code: 0 })]);
    expect(await home.run(['pause'])).toMatchObject({ code: 0, stdout: expect.stringContaining('is paused') });
    expect(JSON.parse((await home.here(['status', '--json'])).stdout)).toMatchObject({ running: true, pid });
    expect(await home.json<object>(['connections', 'show', 'Shop'])).toMatchObject({
      externalClients: { level: 'blocked' },
    });
    expect((await home.here(['tokens', 'list', '--json'])).stdout).toContain('"revoked"');
    expect((await home.here(['boxes', 'list', '--json'])).stdout).not.toContain('cell');
    expect((await home.here(['doctor', '--all'])).stdout).toContain(`Process ${pid} runs`);
    expect(await home.run(['stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
    expect(isAlive(pid)).toBe(false);
    expect(await home.here(['status'])).toMatchObject({ code: 69 });
  }, 120_000);
});

/** Locks of an open file (OFD) on the first byte, and of the process on the second. */
const lockOthers = `
  use Fcntl;
  open(my $one, '+<', $ARGV[0]) or die; open(my $two, '+<', $ARGV[0]) or die;
  my ($first, $second) = map { pack('s s x4 q q i x4', F_WRLCK, 0, $_, 1, 0) } 0, 1;
  fcntl($one, 37, $first) or die $!;
  fcntl($two, F_SETLK, $second) or die $!;
  $| = 1; print "locked"; sleep 60;
`;

needsLinux.test(
  'locks on bytes of daemon.lock that nobody uses hide no daemon',
  async () => {
    const [pid = 0] = home.daemons();
    const locker = home.spawnProgram('perl', ['-e', lockOthers, inHome('daemon.lock')]);
    await new Promise(resolve => locker.stdout?.once('data', resolve));
    expect(await lockHolder(inHome('daemon.lock'))).toEqual({ pid });
    process.kill(pid, 'SIGSTOP');
    expect(await home.run(['stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
    expect([isAlive(pid), isAlive(locker.pid ?? 0)]).toEqual([false, true]);
    locker.kill();
  },
  120_000,
);

test('a peer without proof gets the brakes alone, whatever it asks for, also while the passphrase is off', async () => {
  const path = socketPath();
  const refused: [string, object][] = [
    ['resume', {}],
    ['connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' }, name: 'Other' }],
    ['connections.save', { connection: 'Shop', name: 'Other' }],
    ['connections.save', { connection: 'Shop', colour: null }],
    ['connections.save', { name: 'New' }],
    ['connections.form', { connection: 'Shop', url: 'postgres://anna@db.invalid/shop', home: '/home/anna' }],
    ['connections.form', { connection: 'Shop', typed: { 'password.value': 'hunter2' }, home: '/home/anna' }],
    ['connections.form', { connection: 'Shop', typed: { aiPolicy: 'never', name: 'Other' }, home: '/home/anna' }],
    ['settings.set', { key: 'port', value: 1 }],
    ['settings.set', { key: 'history.enabled', value: false }],
    ['settings.get', { key: 'port' }],
    ['tokens.mint', { name: 'x', scope: 'readOnly', connections: 'all', expires: 1, confirmInClient: false }],
    ['tokens.edit', { id: 'x' }],
    ['boxes.add', { name: 'x' }],
    ['snippets.list', {}],
    ['activity.query', {}],
    ['history.query', {}],
    ['passphrase.set', { passphrase: 'a long enough passphrase' }],
    ['passphrase.off', {}],
    ['desk.list', {}],
    ['desk.attach', {}],
    ['connections.test', { connection: 'Shop' }],
    ['statements.classify', {}],
    ['no.such', {}],
  ];
  for (const [method, params] of refused) {
    const peer = await rawPeer(path);
    peer.send(request(method, params));
    expect([method, await peer.next()]).toEqual([
      method,
      expect.objectContaining({
        error: { code: errorCodes.unauthenticated, message: expect.any(String), data: { code: 'unproved' } },
      }),
    ]);
    peer.end();
  }
  await home.json(['connections', 'set', 'Shop', '--external-clients', 'read-only']);
  await home.json(['settings', 'set', 'enabled', 'false']);
  for (const [method, params] of [
    ['connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }],
    ['settings.set', { key: 'enabled', value: true }],
  ] as const) {
    const peer = await rawPeer(path);
    peer.send(request(method, params));
    expect((await peer.next())?.error?.message).toContain('proved itself');
    peer.end();
  }
  expect(await home.json<object>(['connections', 'show', 'Shop'])).toMatchObject({
    externalClients: { level: 'readOnly' },
  });
  const editor = await rawPeer(path);
  const typed = { externalClients: 'blocked', aiPolicy: 'never' };
  for (const asked of [{}, { typed }]) {
    editor.send(request('connections.form', { connection: 'Shop', home: '/home/anna', ...asked }));
    const draft = { externalClients: { level: 'blocked' }, aiPolicy: 'never' };
    expect((await editor.next())?.result).toMatchObject('typed' in asked ? { draft } : { values: { name: 'Shop' } });
  }
  editor.end();
}, 60_000);

test('a brake that was begun as a proof is refused, and so are the owner passphrase and a confirmation', async () => {
  const peer = await rawPeer(socketPath());
  peer.send({ ...request('resume', {}), passphrase: 'any', confirm: 'app' });
  expect((await peer.next())?.error?.message).toContain('proved itself');
  peer.end();
});

test('what status and the lists show without a proof holds no secret', async () => {
  const secret = JSON.parse((await home.here(['status', '--json'])).stdout);
  expect(secret).toMatchObject({ running: true });
  const peer = await rawPeer(socketPath());
  let said = '';
  for (const method of ['status', 'tokens.list', 'boxes.list', 'connections.list']) {
    peer.send(request(method, {}));
    const answer = await peer.next();
    expect(answer?.result).toBeDefined();
    said += JSON.stringify(answer);
  }
  expect(said).not.toMatch(/"(?:hash|salt|token|password|proof)":"/);
  peer.end();
});

describe('not running is said only when the lock is free', () => {
  test.each([
    ['gone', () => unlinkSync(inHome('daemon.lock'))],
    [
      'replaced',
      () => {
        unlinkSync(inHome('daemon.lock'));
        writeFileSync(inHome('daemon.lock'), '');
      },
    ],
  ])(
    'a daemon whose lock is %s stops, as nobody else could tell that it runs',
    async (_, take) => {
      const [pid = 0] = home.daemons();
      take();
      await until(() => !isAlive(pid), 'it has stopped', 5);
      expect(await home.here(['status'])).toMatchObject({ code: 69 });
      expect(await home.run(['start'])).toMatchObject({ code: 0 });
    },
    60_000,
  );

  test.each([
    ['and its socket', false],
    ['without a socket', true],
  ])(
    'a daemon that stands still is told of, %s, and stop ends the holder of the lock',
    async (_, isGone) => {
      const [pid = 0] = home.daemons();
      if (isGone) rmSync(socketPath());
      process.kill(pid, 'SIGSTOP');
      for (const words of [['status'], ['pause'], ['tokens', 'revoke', 'agent']]) {
        const ran = await home.here(words);
        expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`Process ${pid} holds`) });
      }
      expect(await home.run(['stop'])).toMatchObject({ code: 0 });
      expect(isAlive(pid)).toBe(false);
    },
    60_000,
  );
});

test.each<[string, (() => Promise<void>) | null]>([
  ['gone', null],
  ["another's that says nothing", () => plant(socket => void socket.resume())],
  ["another's that hangs up", () => plant(socket => void socket.destroy())],
])(
  'with control.sock %s, a running bridge answers within a second, and a new one answers',
  async (_, replace) => {
    const bridges: BridgeProcess[] = [];
    const bridge = (): BridgeProcess => {
      const started = new BridgeProcess([bridgeCommand], home.home);
      bridges.push(started);
      return started;
    };
    try {
      const running = bridge();
      expect((await running.ask(modern(1, 'tools/list'))).error).toBeUndefined();
      if (replace === null) unlinkSync(socketPath());
      else await replace();
      const began = performance.now();
      const fresh = bridge();
      expect((await running.ask(modern(2, 'tools/list'))).error).toBeUndefined();
      expectWithin(began, 1_000);
      expect((await fresh.ask(modern(1, 'tools/list'))).error).toBeUndefined();
      expectWithin(began, 4_000);
      // Its connections are proved anew by the same daemon.
      expect((await running.ask(modern(3, 'tools/list'))).error).toBeUndefined();
      // One that a new bridge started finds the lock held, and ends.
      await until(() => home.daemons().length === 1, 'one daemon is left');
    } finally {
      await Promise.all(bridges.map(each => each.stop()));
    }
  },
  60_000,
);

test('a bridge before a silent stranger says that nothing was sent, or nothing to a call that was cancelled', async () => {
  const [pid = 0] = home.daemons();
  const running = new BridgeProcess([bridgeCommand], home.home);
  try {
    expect((await running.ask(modern(1, 'tools/list'))).error).toBeUndefined();
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'the daemon has ended');
    let heard = '';
    await plant(socket => {
      socket.on('error', () => {});
      socket.on('data', chunk => {
        heard += chunk;
      });
    });
    const began = performance.now();
    const call = { name: 'list_connections', arguments: {} };
    running.send(modern(2, 'tools/call', call));
    running.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    expect((await running.ask(modern(3, 'tools/call', call))).error).toMatchObject({
      message: expect.stringContaining('nothing was sent'),
      data: { reason: 'busy' },
    });
    expectWithin(began, 11_000);
    expect(running.lines.filter(line => JSON.parse(line).id === 2)).toEqual([]);
    expect(heard).toContain('identify');
    expect(heard).not.toMatch(/sp_|list_connections/);
    unlinkSync(socketPath());
    expect((await running.ask(modern(4, 'tools/list'))).error).toBeUndefined();
  } finally {
    await running.stop();
  }
}, 60_000);

test('a brake before a program that answers for the daemon says that it proved nothing, and stop ends the daemon', async () => {
  const [pid = 0] = home.daemons();
  process.kill(pid, 'SIGSTOP');
  chmodSync(inHome('secrets.json'), 0o644);
  await plant(socket => {
    socket.on('error', () => {});
    socket.on('data', chunk => {
      const { id, method } = JSON.parse(String(chunk));
      const result = method === 'pause' ? { paused: true } : { pid: 1 };
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
    });
  });
  expect(await home.here(['pause'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('did not prove that it is'),
  });
  expect(await home.run(['stop'])).toMatchObject({ code: 0 });
  expect(isAlive(pid)).toBe(false);
}, 60_000);

needs(missingForHangingFolder()).test(
  'a disk that never answers keeps nothing waiting but what lies there',
  async () => {
    const folder = join(home.folder, 'disk');
    mkdirSync(folder);
    const saveAt = (name: string) => ['connections', 'add', `sqlite://${join(folder, name)}`, '--name', name];
    for (const name of ['a', 'b']) await home.json([...saveAt(name), '--create']);
    await home.json(['connections', 'set', 'b', '--external-clients', 'blocked']);
    const end = await hangFolder(folder);
    try {
      const within = async (milliseconds: number, words: readonly string[], expected: object) => {
        const began = performance.now();
        expect([words, await home.run(words)]).toEqual([words, expect.objectContaining(expected)]);
        expectWithin(began, milliseconds);
      };
      const silent = { code: 1, stderr: expect.stringContaining("doesn't answer. Try again once it does.") };
      const [first, second] = [home.run(saveAt('c')), home.run([...saveAt('d'), '--create'])];
      await within(3_000, ['status'], { code: 0 });
      await within(3_000, ['query', 'Shop', 'select count(*) from orders'], { code: 0 });
      await within(3_000, ['connections', 'set', 'a', '--external-clients', 'blocked'], { code: 0 });
      await within(5_000, ['connections', 'add', 'postgres://anna@127.0.0.1:1/x', '--name', 'Else'], { code: 0 });
      for (const save of [first, second]) expect(await save).toMatchObject(silent);
      await within(3_000, ['pause'], { code: 0 });
      const [pid] = home.daemons();
      await within(25_000, ['stop'], { code: 0 });
      await until(() => !home.daemons().includes(pid ?? 0), 'it has ended', 5);
    } finally {
      await end();
    }
  },
  120_000,
);

test('a socket that is removed comes back within a second, mode 600, and a stop takes it away', async () => {
  const before = lstatSync(socketPath()).ino;
  unlinkSync(socketPath());
  const from = performance.now();
  await until(() => existsSync(socketPath()), 'it is back');
  expect(performance.now() - from).toBeLessThan(1_500);
  expect(lstatSync(socketPath()).mode & 0o777).toBe(0o600);
  expect(before).toBeGreaterThan(0);
  expect((await home.run(['stop'])).code).toBe(0);
  expect(existsSync(socketPath())).toBe(false);
}, 60_000);

test('the daemon of a home that was moved takes nothing from the one started in its place', async () => {
  const [first = 0] = home.daemons();
  const moved = `${home.home}-moved`;
  renameSync(home.home, moved);
  expect((await home.run(['start'])).code).toBe(0);
  const { ino } = lstatSync(socketPath());
  process.kill(first, 'SIGTERM');
  await until(() => !isAlive(first), 'the first has ended');
  expect(lstatSync(socketPath()).ino).toBe(ino);
  expect((await home.run(['pause'])).code).toBe(0);
}, 60_000);
