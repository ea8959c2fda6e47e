/**
 * Which file a connection opens: never a new one, never a refused one, always the one at that path
 * now.
 */

import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from '@jest/globals';
import { isStillThere, type RefuseFile } from '../../../daemon/engines/sqlite/dial.ts';
import { mountHanging, mountingUnavailable } from '../../mounting.ts';
import { needs } from '../../needs.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { call, collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();

const ask = async (filePath: string, refuseFile: RefuseFile = () => null, sql = 'select * from t') => {
  const database = openFile(filePath, { refuseFile });
  try {
    return await collect(database, sql);
  } finally {
    await database.close();
  }
};
const make = (name: string, value: number) => {
  withDriver(at(name), database => database.exec(`create table t (v); insert into t values (${value})`));
  return at(name);
};

test('a missing file isn’t made, in any session', async () => {
  for (const session of ['read', 'write', 'alone', 'rollback'] as const) {
    const database = openFile(at('missing.db'));
    const { outcome } = await collect(database, 'create table t (v)', { session });
    await database.close();
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('does not exist') });
  }
  expect(existsSync(at('missing.db'))).toBe(false);
});

const unmountable = mountingUnavailable() ?? (existsSync('/dev/fuse') ? null : '/dev/fuse');
needs(unmountable).test('a file system that never answers takes the call’s time, and no others', async () => {
  mkdirSync(at('hung'));
  const end = await mountHanging(at('hung'));
  if (end === null) throw new Error('FUSE could not be mounted.');
  const database = openFile(at('hung/shop.db'));
  try {
    const calls = Array.from({ length: 8 }, () => collect(database, 'select 1', { timeoutSeconds: 1 }));
    for (const { outcome } of await Promise.all(calls))
      expect(outcome).toEqual({ kind: 'no_answer', stage: 'file', seconds: 1 });
    const client = new AbortController();
    const left = collect(database, 'select 1', { timeoutSeconds: 60, signal: client.signal });
    client.abort();
    expect((await left).outcome).toEqual({ kind: 'cancelled' });
    const waiting = collect(database, 'select 1', { timeoutSeconds: 60 });
    await database.close();
    expect((await waiting).outcome).toEqual({ kind: 'not_connected', message: 'The connection was closed.' });
    expect((await ask(make('beside.db', 7))).rows).toEqual([[7]]);
  } finally {
    end();
    await database.close();
  }
});

test('a file that is no database says so', async () => {
  writeFileSync(at('letter.txt'), 'Dear reader, '.repeat(100));
  mkdirSync(at('folder'));
  expect((await ask(at('letter.txt'))).outcome).toMatchObject({
    kind: 'not_connected',
    message: expect.stringContaining('is not an SQLite database'),
  });
  expect((await ask(at('folder'))).outcome).toMatchObject({ message: expect.stringContaining('is not a file') });
  expect((await ask('relative.db')).outcome).toMatchObject({ kind: 'not_connected' });
});

test('a damaged database harms nobody', async () => {
  const path = make('damaged.db', 1);
  withDriver(path, database =>
    database.exec("insert into t select randomblob(3000) from json_each('[1,2,3,4,5,6,7,8]')"),
  );
  const size = statSync(path).size;
  const header = withDriver(path, database => database.serialize()).subarray(0, 100);
  writeFileSync(path, Buffer.concat([header, Buffer.alloc(size - 100, 0xa5)]));
  expect((await ask(path)).outcome).toMatchObject({ kind: 'query_failed', code: 'SQLITE_CORRUPT' });
});

test('a refused file is refused under every name', async () => {
  const own = make('own.db', 1);
  const { dev, ino } = statSync(own, { bigint: true });
  symlinkSync(own, at('symbolic.db'));
  linkSync(own, at('hard.db'));
  const refuse: RefuseFile = (_, device, inode) => (device === dev && inode === ino ? 'This file is ours.' : null);
  for (const name of ['own.db', 'symbolic.db', 'hard.db']) {
    const { outcome, columns } = await ask(at(name), refuse);
    expect(outcome).toEqual({ kind: 'not_connected', message: 'This file is ours.' });
    expect(columns).toBeNull();
  }
  expect((await ask(make('other.db', 5), refuse)).rows).toEqual([[5]]);
});

/** Moves a path that was just read. */
const takings: Record<string, (path: string, other: string) => void> = {
  'renamed over it': (path, other) => renameSync(other, path),
  'under a symbolic link in its place': (path, other) => {
    rmSync(path);
    symlinkSync(other, path);
  },
  'under a hard link in its place': (path, other) => {
    rmSync(path);
    linkSync(other, path);
  },
};
test.each(Object.entries(takings))('a file %s is checked and read anew', async (name, take) => {
  const path = make(`changing ${name}.db`, 1);
  const other = make(`newer ${name}.db`, 2);
  const { ino } = statSync(other, { bigint: true });
  const classified: bigint[] = [];
  let refused: string | null = null;
  const refuseFile: RefuseFile = (_path, _device, inode) => {
    classified.push(inode);
    return inode === ino ? refused : null;
  };
  const database = openFile(path, { refuseFile });
  const read = () => collect(database, 'select v from t');
  expect((await read()).rows).toEqual([[1]]);
  expect((await read()).rows).toEqual([[1]]);
  // While the file stays in place, it isn't checked again.
  expect(classified).toHaveLength(1);
  take(path, other);
  refused = 'This file is ours.';
  expect((await read()).outcome).toEqual({ kind: 'not_connected', message: refused });
  expect(await database.rehearse({ ...call, signal: new AbortController().signal }, async () => 'ran')).toEqual({
    kind: 'not_connected',
    message: refused,
  });
  refused = null;
  expect((await read()).rows).toEqual([[2]]);
  expect(classified.at(-1)).toBe(ino);
  rmSync(path);
  expect((await read()).outcome).toMatchObject({ message: expect.stringContaining('does not exist') });
  await database.close();
});

test('a rehearsal uses the file that is there now', async () => {
  const path = make('rehearsed.db', 1);
  const database = openFile(path);
  const read = () => collect(database, 'select v from t');
  expect((await read()).rows).toEqual([[1]]);
  renameSync(make('newly rehearsed.db', 2), path);
  expect(await database.rehearse({ ...call, signal: new AbortController().signal }, async () => 'ran')).toEqual({
    kind: 'done',
    value: 'ran',
  });
  expect((await read()).rows).toEqual([[2]]);
  await database.close();
});

test('a new file with the inode of a removed one is checked', () => {
  const path = make('born.db', 1);
  const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
  const file = { path, realPath: path, device: String(dev), inode: String(ino), born: String(birthtimeNs) };
  expect(isStillThere(file)).toBe(true);
  expect(isStillThere({ ...file, born: String(birthtimeNs - 1n) })).toBe(false);
});

test.each(['spaced.db ', 'asked.db?mode=memory', 'half#.db', 'per%20cent.db'])(
  'the name %j is that file, and no other',
  async name => {
    make(name.slice(0, 4), 1);
    expect((await ask(make(name, 2))).rows).toEqual([[2]]);
  },
);

test('reading leaves no file behind', async () => {
  const path = make('quiet.db', 1);
  await ask(path);
  expect(readdirSync(at('.')).filter(name => name.startsWith('quiet'))).toEqual(['quiet.db']);
});

test('another database or schema doesn’t exist', async () => {
  const database = openFile(make('place.db', 1));
  expect((await collect(database, 'select 1', { schema: 'public' })).outcome.kind).toBe('unsupported');
  expect((await collect(database, 'select 1', { database: 'elsewhere' })).outcome.kind).toBe('unsupported');
  expect((await collect(database, 'select 1', { schema: 'main', database: 'place.db' })).outcome.kind).toBe('done');
  await database.close();
});

test('a database in WAL mode can be read beside a writer', async () => {
  const path = make('wal.db', 1);
  const writer = new SqliteFile(path);
  try {
    writer.exec('pragma journal_mode = wal');
    writer.exec('begin immediate; insert into t values (2)');
    expect((await ask(path)).rows).toEqual([[1]]);
    writer.exec('commit');
    expect((await ask(path)).rows).toEqual([[1], [2]]);
  } finally {
    writer.close();
  }
});
