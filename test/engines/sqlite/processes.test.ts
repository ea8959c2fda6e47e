/**
 * The child processes: they end with the daemon, leave nothing running, and are replaced when they
 * die.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { RowSink } from '../../../daemon/engines/engine.ts';
import { openPool } from '../../../daemon/engines/sqlite/pool.ts';
import { startChild } from '../../../daemon/engines/sqlite/session.ts';
import { programCommand } from '../../../shared/programs.ts';
import { needsLinux } from '../../needs.ts';
import { until } from '../../waiting/until.ts';
import { call, collect } from '../collecting-sink.ts';
import { busyChildren, sqliteChildren } from './busy-children.ts';
import { endless } from './cases.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
const make = (name: string) => {
  withDriver(at(name), database => database.exec('create table t (v); insert into t values (1)'));
  return at(name);
};
const pids = async () => (await sqliteChildren()).map(({ pid }) => pid);
const runs = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

afterEach(() => until(async () => (await pids()).length === 0, 'no child is left'));

needsLinux.test('nothing starts before the first call, nothing remains after close', async () => {
  const database = openFile(make('quiet.db'));
  expect(await pids()).toEqual([]);
  await collect(database, 'select 1');
  expect(await pids()).toHaveLength(1);
  await database.close();
  expect(await pids()).toEqual([]);
});

needsLinux.test('where memory ends, a child ends before the daemon', async () => {
  const database = openFile(make('scarce.db'));
  await collect(database, 'select 1');
  const [pid] = await pids();
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('500');
  await database.close();
});

needsLinux.test('at most four at once, and waiting callers can leave', async () => {
  const database = openFile(make('busy.db'));
  const clients = Array.from({ length: 6 }, () => new AbortController());
  const calls = clients.map(client => collect(database, endless, { signal: client.signal }));
  await until(async () => (await pids()).length === 4, 'four children run');
  // Time for a fifth.
  await wait(100);
  expect(await pids()).toHaveLength(4);
  clients[5]?.abort();
  expect((await calls[5])?.outcome).toEqual({ kind: 'cancelled' });
  for (const client of clients) client.abort();
  for (const { outcome } of await Promise.all(calls)) expect(outcome).toEqual({ kind: 'cancelled' });
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  await database.close();
});

needsLinux.test('a child in a statement dies with a killed daemon', async () => {
  const open = new URL('../../../build/daemon/engines/sqlite/database.js', import.meta.url).href;
  const daemon = `
    import { openSqlite } from ${JSON.stringify(open)};
    const database = openSqlite({ engine: 'sqlite', filePath: ${JSON.stringify(make('orphan.db'))} },
      { password: async () => null, now: () => 0, refuseFile: () => null, workerCommand: null });
    const call = { principal: null, client: '', database: null, schema: null, timeoutSeconds: 100, signal: new AbortController().signal,
      parameters: [], session: 'read', limits: { cellBytes: 9, wireBytes: 9999 } };
    const sink = { columns() {}, row: () => true };
    await Promise.all([1, 2].map(() => database.run({ ...call, sql: 'select 1' }, sink)));
    database.run({ ...call, sql: ${JSON.stringify(endless)} }, sink);
    console.log('running');`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', daemon], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.stderr.pipe(process.stderr);
  const ended = once(started, 'exit');
  await once(started.stdout, 'data');
  let children: number[] = [];
  await until(async () => {
    children = (await busyChildren(started.pid)).map(pid => pid);
    return children.length > 0;
  }, 'the statement runs');
  started.kill('SIGKILL');
  await ended;
  await until(() => !children.some(runs), 'its child is dead too');
});

needsLinux.test('a read that meets a dead child is answered by another', async () => {
  const database = openFile(make('dead.db'));
  await collect(database, 'select 1');
  const [first] = await pids();
  if (first !== undefined) process.kill(first, 'SIGKILL');
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  expect(await pids()).not.toContain(first);
  await database.close();
});

needsLinux.test('a child that dies in a statement is reported, and the next call works', async () => {
  const database = openFile(make('crash.db'));
  const running = collect(database, endless);
  await until(async () => (await busyChildren()).length === 1, 'the statement runs');
  for (const pid of await pids()) process.kill(pid, 'SIGSEGV');
  expect((await running).outcome).toMatchObject({ kind: 'query_failed', message: expect.stringContaining('SIGSEGV') });
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  await database.close();
});

test('a writer stopped half-way leaves a file that the next read finds unchanged', async () => {
  const path = make('half.db');
  // More than SQLite's page cache holds: pages reach the file before the commit, and the journal is
  // hot.
  const many =
    'with recursive c(x) as (select 1 union all select x + 1 from c) insert into t select randomblob(4000) from c';
  const size = statSync(path).size;
  for (const session of ['write', 'rollback', 'alone'] as const) {
    // A fresh `Database` afterwards too: nothing of the killed one is remembered, as after a crash
    // of the daemon.
    const database = openFile(path);
    const client = new AbortController();
    const writing = collect(database, many, { session, signal: client.signal });
    await until(() => statSync(path).size > size + 1_000_000, 'pages reach the file');
    client.abort();
    // Alone, it commits by itself: nobody outside knows when.
    const kind = session === 'alone' ? 'outcome_unknown' : 'cancelled';
    expect((await writing).outcome).toMatchObject({ kind });
    await database.close();
    const after = openFile(path);
    expect((await collect(after, 'select v from t')).rows).toEqual([[1]]);
    await after.close();
  }
}, 60_000);

test('the same in WAL mode', async () => {
  const path = make('half-wal.db');
  withDriver(path, database => database.exec('pragma journal_mode = wal'));
  const many =
    'with recursive c(x) as (select 1 union all select x + 1 from c) insert into t select randomblob(4000) from c';
  const database = openFile(path);
  const client = new AbortController();
  const writing = collect(database, many, { session: 'write', signal: client.signal });
  const wal = `${path}-wal`;
  await until(() => existsSync(wal) && statSync(wal).size > 1_000_000, 'pages reach the log');
  client.abort();
  expect((await writing).outcome).toEqual({ kind: 'cancelled' });
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  await database.close();
}, 60_000);

needsLinux.test('an idle child ends after a while', async () => {
  const command = programCommand('sqlite-worker');
  const pool = openPool(() => startChild(command), { most: 2, idleMilliseconds: 100 });
  const child = await pool.acquire(new AbortController().signal);
  expect(await pids()).toHaveLength(1);
  if (child) pool.release(child);
  await child?.gone;
  expect(await pids()).toEqual([]);
  await pool.close();
});

test('a broken sink is reported, and the next call works', async () => {
  const database = openFile(make('sink.db'));
  const sink: RowSink = {
    columns() {},
    row() {
      throw new Error('broken sink');
    },
  };
  await expect(database.run({ ...call, sql: 'select v from t' }, sink)).rejects.toThrow('broken sink');
  expect((await collect(database, 'select v from t')).rows).toEqual([[1]]);
  await database.close();
});

test('a missing child program is reported', async () => {
  const workerCommand = { ...programCommand('sqlite-worker'), executable: at('no-such-node') };
  const database = openFile(make('unstarted.db'), { workerCommand });
  const { outcome } = await collect(database, 'select 1');
  await database.close();
  expect(outcome).toMatchObject({ kind: 'query_failed', message: expect.stringContaining('could not be started') });
});
