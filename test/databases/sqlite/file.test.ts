/** Which file a connection opens: never a new one, never one that is refused, always the one that is there now. */

import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import type { RefuseFile } from '../../../daemon/databases/sqlite/file.ts';
import { collect } from '../collecting-sink.ts';
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

test('a missing file is not made, in any session', async () => {
  for (const session of ['read', 'write', 'alone', 'rollback'] as const) {
    const database = openFile(at('missing.db'));
    const { outcome } = await collect(database, 'create table t (v)', { session });
    await database.close();
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining('does not exist') });
  }
  expect(existsSync(at('missing.db'))).toBe(false);
});

test('what is no database says so', async () => {
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

test('a file that takes the place of the open one is judged and read anew', async () => {
  const path = make('changing.db', 1);
  let judged = 0;
  const refuseFile: RefuseFile = () => {
    judged += 1;
    return null;
  };
  const database = openFile(path, { refuseFile });
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  renameSync(make('newer.db', 2), path);
  expect((await collect(database, 'select v from t')).rows).toEqual([[2]]);
  await database.close();
  expect(judged).toBe(2);
});

test('a name the driver would trim is refused, not another file opened', async () => {
  make('trimmed.db', 1);
  writeFileSync(at('trimmed.db '), '');
  expect((await ask(at('trimmed.db '))).outcome).toMatchObject({
    kind: 'not_connected',
    message: expect.stringContaining('space'),
  });
});

test('reading leaves no file behind', async () => {
  const path = make('quiet.db', 1);
  await ask(path);
  expect(readdirSync(at('.')).filter(name => name.startsWith('quiet'))).toEqual(['quiet.db']);
});

test('another database or schema is not here', async () => {
  const database = openFile(make('place.db', 1));
  expect((await collect(database, 'select 1', { schema: 'public' })).outcome.kind).toBe('unsupported');
  expect((await collect(database, 'select 1', { database: 'elsewhere' })).outcome.kind).toBe('unsupported');
  expect((await collect(database, 'select 1', { schema: 'main', database: 'place.db' })).outcome.kind).toBe('done');
  await database.close();
});

test('a database in WAL mode is read beside a writer', async () => {
  const path = make('wal.db', 1);
  const writer = new Sqlite(path);
  try {
    writer.pragma('journal_mode = wal');
    writer.exec('begin immediate; insert into t values (2)');
    expect((await ask(path)).rows).toEqual([[1]]);
    writer.exec('commit');
    expect((await ask(path)).rows).toEqual([[1], [2]]);
  } finally {
    writer.close();
  }
});
