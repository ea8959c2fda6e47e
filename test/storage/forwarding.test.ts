/**
 * Forwarding of the activity log to a file and to syslog: in order, whole, in bounds, and going on
 * where it came to, whatever the receiver does.
 */

import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { BoxRecord } from '../../daemon/access/tokens/token.ts';
import { pathsOf } from '../../daemon/clients/boxes/box-folder.ts';
import { cursorIn } from '../../daemon/storage/forwarding/cursor.ts';
import { fileSink as fileSinkOf } from '../../daemon/storage/forwarding/file-sink.ts';
import { type Forwarding, forward } from '../../daemon/storage/forwarding/forwarding.ts';
import { isInHome } from '../../daemon/storage/forwarding/home-files.ts';
import { placeOf } from '../../daemon/storage/forwarding/place.ts';
import type { Record } from '../../daemon/storage/forwarding/record.ts';
import type { Sink } from '../../daemon/storage/forwarding/sink.ts';
import { datagramSink, streamSink } from '../../daemon/storage/forwarding/syslog-sink.ts';
import { mountDisk, mountingUnavailable, unmountDisk } from '../mounting.ts';
import { needs } from '../needs.ts';
import { until } from '../waiting/until.ts';

let folder: string;
const undo: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-forwarding-'));
  chmodSync(folder, 0o700);
  mkdirSync(join(folder, 'home'));
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  rmSync(folder, { recursive: true, force: true });
});

/** Beside a home in the test's folder. */
const fileSink = (path: string, mode: number, most?: number): Sink =>
  fileSinkOf(path, mode, join(folder, 'home'), most);

function record(number: number): Record {
  const row: Record['row'] = {
    number,
    time: '2026-11-29T12:00:00.000Z',
    kind: 'event',
    category: 'query',
    action: 'execute_query',
    outcome: 'success',
    fate: null,
    attempt: null,
    principal: 'p',
    tokenName: 'Zed',
    client: 'zed',
    connection: { id: 'c', name: 'Shop' },
    statementHash: 'ab',
    rows: 1,
    durationMilliseconds: 2,
    reason: null,
    requestId: 'r',
    count: 1,
  };
  return { row, mac: Buffer.from(`mac ${number}`).toString('base64') };
}

/** A log that grows, as its followers see it. */
function growingLog() {
  const rows: Record[] = [];
  const listeners = new Set<() => void>();
  return {
    add(count: number) {
      for (let each = 0; each < count; each++) rows.push(record(rows.length + 1));
      for (const listener of listeners) listener();
    },
    ports: {
      rowsAfter: async (number: number, most: number) => rows.filter(({ row }) => row.number > number).slice(0, most),
      newest: async () => rows.length,
      onRows: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      report: () => {},
      retryMilliseconds: 50,
    },
  };
}

function begin(place: string, sink: Sink, log: ReturnType<typeof growingLog>): Forwarding {
  const forwarding = forward(place, sink, { ...log.ports, cursor: cursorIn(join(folder, 'cursor.json')) });
  undo.push(() => forwarding.close());
  return forwarding;
}

const numbersIn = (path: string): number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line).number);
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function listening(onSocket: (socket: Socket) => void, path: string): Promise<Server> {
  const server = createServer(onSocket);
  await once(server.listen(path), 'listening');
  undo.push(() => new Promise(resolve => server.close(resolve)));
  return server;
}

test('a file gets each later row once, over a restart too, with place and hash and no empty member', async () => {
  const path = join(folder, 'own.log');
  const log = growingLog();
  log.add(3);
  const first = begin(path, fileSink(path, 0o600), log);
  await first.settled();
  log.add(450);
  await until(async () => existsSync(path) && numbersIn(path).length === 450, 'all are there');
  await first.close();
  log.add(5);
  const second = begin(path, fileSink(path, 0o600), log);
  await until(async () => numbersIn(path).length === 455, 'the later ones are there');
  await second.close();
  expect(numbersIn(path)).toEqual(upTo(4, 458));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [line = ''] = readFileSync(path, 'utf8').split('\n');
  expect(JSON.parse(line)).toEqual({
    ...{ time: '2026-11-29T12:00:00.000Z', number: 4, mac: 'bWFjIDQ=', kind: 'event', category: 'query' },
    ...{ action: 'execute_query', outcome: 'success', principal: 'p', tokenName: 'Zed', client: 'zed' },
    ...{ connection: 'Shop', connectionId: 'c', statementHash: 'ab', rows: 1, durationMilliseconds: 2 },
    ...{ requestId: 'r', count: 1 },
  });
});

test('a file is rotated at its size, and goes on where another program moved it away', async () => {
  const path = join(folder, 'own.log');
  const sink = fileSink(path, 0o640, 2_000);
  for (let from = 1; from <= 30; from += 3) await sink.write([record(from), record(from + 1), record(from + 2)]);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  const files = [4, 3, 2, 1].map(number => `${path}.${number}`).concat(path);
  for (const file of files) expect(statSync(file).size).toBeLessThanOrEqual(2_000);
  expect(existsSync(`${path}.5`)).toBe(false);
  const kept = files.flatMap(numbersIn);
  expect(kept).toEqual(upTo(kept[0] ?? 0, 30));
  renameSync(path, join(folder, 'moved'));
  await sink.write([record(31)]);
  expect(numbersIn(path)).toEqual([31]);
  sink.close();
});

test('a link and a folder take nothing', async () => {
  const path = join(folder, 'link');
  writeFileSync(join(folder, 'target'), '');
  symlinkSync(join(folder, 'target'), path);
  await expect(fileSink(path, 0o600).write([record(1)])).rejects.toThrow(/is a link/);
  await expect(fileSink(folder, 0o600).write([record(1)])).rejects.toThrow(/can't be written \(EISDIR\)/);
  expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('');
});

test('no way leads into the home: not a linked folder, nor a second name of its files', async () => {
  const secrets = join(folder, 'home', 'secrets.json');
  writeFileSync(secrets, 'kept');
  symlinkSync(join(folder, 'home'), join(folder, 'elsewhere'));
  linkSync(secrets, join(folder, 'second'));
  for (const name of ['secrets.json', 'new.log'])
    await expect(fileSink(join(folder, 'elsewhere', name), 0o600).write([record(1)])).rejects.toThrow(/own folder/);
  await expect(fileSink(join(folder, 'second'), 0o600).write([record(1)])).rejects.toThrow(/has a second name/);
  expect([readFileSync(secrets, 'utf8'), readdirSync(join(folder, 'home'))]).toEqual(['kept', ['secrets.json']]);
});

test('a folder that is swapped while the file is opened leads nowhere', async () => {
  const [home, logs, folders] = [join(folder, 'home'), join(folder, 'logs'), join(folder, 'good')];
  mkdirSync(folders);
  writeFileSync(join(home, 'secrets.json'), 'kept');
  symlinkSync(folders, logs);
  let turn = 0;
  let next: NodeJS.Timeout;
  const swap = (): void => {
    symlinkSync(turn++ % 2 === 0 ? home : folders, `${logs}.next`);
    renameSync(`${logs}.next`, logs);
    next = setTimeout(swap, turn % 3);
  };
  swap();
  undo.push(() => clearTimeout(next));
  for (let each = 1; each <= 60; each++) {
    const sink = fileSink(join(logs, 'secrets.json'), 0o600);
    await sink.write([record(each)]).catch(() => {});
    sink.close();
  }
  expect(readFileSync(join(home, 'secrets.json'), 'utf8')).toBe('kept');
  expect(numbersIn(join(folders, 'secrets.json')).length).toBeGreaterThan(0);
});

needs(mountingUnavailable()).test('no mount leads into the home: of it, of a folder in it, of a file', async () => {
  const [home, deep, file] = [join(folder, 'home'), join(folder, 'deep'), join(folder, 'file.log')];
  const secrets = join(home, 'secrets.json');
  writeFileSync(secrets, 'kept');
  mkdirSync(join(home, 'inner', 'most'), { recursive: true });
  writeFileSync(file, '');
  mkdirSync(deep);
  mkdirSync(join(folder, 'whole'));
  for (const [from, to] of [
    [home, join(folder, 'whole')],
    [join(home, 'inner'), deep],
    [secrets, file],
  ] as const) {
    expect(spawnSync('mount', ['--bind', from, to]).status).toBe(0);
    undo.push(() => unmountDisk(to));
  }
  for (const path of ['whole/secrets.json', 'whole/new.log', 'deep/new.log', 'deep/most/new.log', 'file.log'])
    await expect(fileSink(join(folder, path), 0o600).write([record(1)])).rejects.toThrow(/own folder/);
  expect(readFileSync(secrets, 'utf8')).toBe('kept');
  expect(readdirSync(home, { recursive: true }).toSorted()).toEqual(['inner', 'inner/most', 'secrets.json']);
});

test('what a box put into its folder stops nothing, and is not the home: the folder and its token are', async () => {
  const [home, path] = [join(folder, 'home'), join(folder, 'file.log')];
  const work = { id: '0123456789', name: 'work', box: { credential: 'token', group: null } } as BoxRecord;
  const boxes = join(home, 'boxes');
  const { folder: box, token } = pathsOf({ boxes, shared: () => boxes, keptShared: () => null }, work);
  const planted = join(box, 'deep', 'planted');
  mkdirSync(join(box, 'deep'), { recursive: true });
  for (const file of [String(token), planted]) writeFileSync(file, '');
  // A path that no system call takes: as unreadable as another user's folder, even for root.
  const half = join(...Array.from({ length: process.platform === 'darwin' ? 2 : 9 }, () => 'd'.repeat(250)));
  const [upper, lower] = [join(box, 'upper', half), join(folder, 'lower')];
  for (const each of [upper, join(lower, half)]) mkdirSync(each, { recursive: true });
  renameSync(lower, join(upper, 'lower'));
  undo.push(() => renameSync(join(upper, 'lower'), lower));

  const ofHome = (file: string) => isInHome(path, home, lstatSync(file, { bigint: true }));
  expect(await Promise.all([box, String(token), planted].map(ofHome))).toEqual([true, true, false]);
  await expect(fileSink(join(box, 'deep', 'new.log'), 0o600).write([record(1)])).rejects.toThrow(/own folder/);
  const sink = fileSink(path, 0o600);
  undo.push(() => sink.close());
  await sink.write([record(1)]);
  expect(numbersIn(path)).toEqual([1]);
});

test('a folder of the home that ends meanwhile stops nothing', async () => {
  const [home, path] = [join(folder, 'home'), join(folder, 'file.log')];
  const passing = Array.from({ length: 6 }, (_, at) => join(home, `passing-${at}`));
  let isThere = false;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    for (const each of passing) isThere ? rmdirSync(each) : mkdirSync(each);
    isThere = !isThere;
    next = setImmediate(turn);
  };
  turn();
  undo.push(() => clearImmediate(next));
  for (let each = 1; each <= 15; each++) expect(await isInHome(path, home, null)).toBe(false);
});

test('a device is no file', async () => {
  await expect(fileSink('/dev/full', 0o600).write([record(1)])).rejects.toThrow('/dev/full is no file');
});

needs(mountingUnavailable()).test('a full disk keeps no half line, and the rows come once there is room', async () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  expect(mountDisk(disk, '64k')).toBe(true);
  undo.push(() => unmountDisk(disk));
  const path = join(disk, 'own.log');
  const ballast = join(disk, 'ballast');
  const log = growingLog();
  const forwarding = begin(path, fileSink(path, 0o600), log);
  await forwarding.settled();
  log.add(5);
  await until(() => existsSync(path) && numbersIn(path).length === 5, 'there is room for five');
  // A page for what follows: a part of the next batch is written before it ends.
  expect(() => writeFileSync(ballast, Buffer.alloc(64 * 1024))).toThrow('ENOSPC');
  truncateSync(ballast, statSync(ballast).size - 4096);
  log.add(200);
  await until(() => forwarding.problem() === `${path} can't be written (ENOSPC)`, 'it is told');
  // It tries again meanwhile, and each time takes away what it could write.
  await until(() => numbersIn(path).length === 5, 'no half line is there');
  rmSync(ballast);
  expect(spawnSync('mount', ['-o', 'remount,size=1m', disk]).status).toBe(0);
  await until(() => numbersIn(path).length === 205, 'all are there');
  expect(numbersIn(path)).toEqual(upTo(1, 205));
  await until(() => forwarding.problem() === null, 'it is well again');
});

test('a stream gets RFC 5424 messages, octet counted, and what its receiver missed while it was dead', async () => {
  const path = join(folder, 'syslog');
  const got: Buffer[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('data', data => got.push(data)).on('error', () => {});
  };
  const log = growingLog();
  const forwarding = begin(`unix:${path}`, streamSink({ path }), log);
  await forwarding.settled();
  log.add(2);
  await until(async () => forwarding.problem() === 'no syslog receiver listens there', 'it is told');
  await listening(take, path);
  const messages = (): string[] => {
    let text = Buffer.concat(got).toString();
    const found: string[] = [];
    for (let head = /^(\d+) /.exec(text); head !== null; head = /^(\d+) /.exec(text)) {
      const [length, begins] = [Number(head[1]), head[0].length];
      found.push(text.slice(begins, begins + length));
      text = text.slice(begins + length);
    }
    return found;
  };
  await until(async () => messages().length === 2, 'both are there');
  expect(messages()[0]).toMatch(
    /^<110>1 2026-11-29T12:00:00\.000Z \S+ sallyport \d+ activity - \{"time":"2026-11-29T12:00:00\.000Z","number":1,/,
  );
  // Dead between two rows.
  for (const socket of sockets) socket.destroy();
  await new Promise(resolve => setTimeout(resolve, 50));
  log.add(1);
  await until(async () => messages().length === 3, 'the third is there');
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
  });
});

test('a frozen receiver keeps nothing back, and costs a batch of memory', async () => {
  const path = join(folder, 'syslog');
  const sockets = new Set<Socket>();
  let text = '';
  let isFrozen = true;
  await listening(socket => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('data', data => {
        text += data.toString();
      });
    if (isFrozen) socket.pause();
  }, path);
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  const log = growingLog();
  const forwarding = begin(`unix:${path}`, streamSink({ path }, 200), log);
  await forwarding.settled();
  log.add(20_000);
  const before = process.memoryUsage().arrayBuffers;
  await until(async () => forwarding.problem() === 'the syslog receiver takes nothing', 'it is told');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  // Thawed, it gets them all; what its buffers had, twice.
  isFrozen = false;
  for (const socket of sockets) socket.resume();
  await until(async () => text.includes('"number":20000,'), 'the last is there');
  const numbers = new Set([...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)));
  expect(numbers.size).toBe(20_000);
});

test('a disk that answers nothing is told, and nothing waits for it', async () => {
  let answer = (): void => {};
  const sink: Sink = { write: () => new Promise(resolve => (answer = resolve)), close() {} };
  const log = growingLog();
  const forwarding = forward('/mnt/gone/own.log', sink, {
    ...log.ports,
    cursor: cursorIn(join(folder, 'cursor.json')),
    stuckMilliseconds: 50,
  });
  await forwarding.settled();
  log.add(1);
  await until(() => forwarding.problem() === '/mnt/gone/own.log takes nothing', 'it is told');
  answer();
  await until(() => forwarding.problem() === null, 'it is well again');
  await forwarding.close();
});

test('datagrams arrive one a row; that nobody listens is noticed', async () => {
  const receiver = createSocket('udp4');
  const got: string[] = [];
  receiver.on('message', message => got.push(message.toString()));
  await new Promise<void>(resolve => receiver.bind(0, '127.0.0.1', resolve));
  const { port } = receiver.address();
  const log = growingLog();
  const forwarding = begin(`udp://127.0.0.1:${port}`, datagramSink('127.0.0.1', port), log);
  await forwarding.settled();
  log.add(3);
  await until(async () => got.length === 3, 'all are there');
  expect(got.map(message => /"number":(\d+)/.exec(message)?.[1])).toEqual(['1', '2', '3']);
  receiver.close();
  log.add(1);
  await until(async () => forwarding.problem() === 'no syslog receiver listens there', 'it is told');
});

test.each([
  ['/var/log/x.log', 'file'],
  ['unix:/run/syslog.sock', 'stream'],
  ['tcp://127.0.0.1:601', 'stream'],
  ['tcp://[::1]:601', 'stream'],
  ['udp://localhost:514', 'datagram'],
])('%s is a place', (text, kind) => {
  expect(placeOf(text, '/home/me/.local/share/sallyport')).toMatchObject({ kind });
});

test.each([
  ['relative.log', /absolute path/],
  ['unix:relative', /absolute path/],
  ['tcp://127.0.0.1', /absolute path/],
  ['https://127.0.0.1:1', /absolute path/],
  ['udp://logs.example:514', /on this machine/],
  ['tcp://10.0.0.1:514', /on this machine/],
  ['/home/me/.local/share/sallyport/sallyport.db', /own folder/],
  ['/home/me/.local/share/sallyport/../sallyport/secrets.json', /own folder/],
])('%s is none', (text, sentence) => {
  expect(placeOf(text, '/home/me/.local/share/sallyport')).toMatch(sentence);
});
