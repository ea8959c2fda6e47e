/**
 * What Node's driver silently ignores becomes an error: the rest of a text, an overlong value, a
 * first use of a statement that a second one ended.
 */

import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database, Session } from '../../../daemon/engines/engine.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
let database: Database;
beforeAll(() => {
  withDriver(at('driver.db'), driver =>
    driver.exec('create table t (a integer primary key, b); insert into t values (1, 1)'),
  );
  database = openFile(at('driver.db'));
});
afterAll(() => database.close());

const rows = () => withDriver(at('driver.db'), driver => driver.rows('select * from t'));
const sessions: readonly Session[] = ['read', 'write', 'alone'];

test.each([
  'select 1; drop table t',
  'select 1; garbage',
  'select 1;;;x',
  'select 1 -- one\n; /* two */ select 2',
  "select '\ud800'; drop table t",
  "select '😍é'; drop table t",
  '\ufeffselect 1; drop table t',
  'insert into t values (2, 2); drop table t',
  'insert into t values (2, 2); commit',
  'vacuum; drop table t',
  'select 1;\v',
])('%j is refused, and nothing of it runs', async sql => {
  for (const session of sessions) {
    const { outcome, rows: given } = await collect(database, sql, { session });
    expect([outcome.kind, given]).toEqual(['query_failed', []]);
    expect(rows()).toEqual([[1n, 1n]]);
  }
  expect((await collect(database, sql)).outcome).toMatchObject({ message: expect.stringContaining('more than one') });
});

test.each(['select 7;', ' ;; select 7 ; -- end', '/* a */ select 7 /* b */;\n;', '\ufeffselect 7', 'select 7 /* open'])(
  '%j is one statement',
  async sql => expect((await collect(database, sql)).rows).toEqual([[7]]),
);

test.each(['', ' ; ', '-- nothing', '/* nothing'])('%j is none', async sql => {
  expect((await collect(database, sql)).outcome).toMatchObject({ message: expect.stringContaining('is empty') });
});

const longText = "printf('%536870912s', '')";

test('a text of 2^29 characters is an error that says what to do, as many bytes are cut, and the next read is normal', async () => {
  const { outcome, rows: given } = await collect(database, `select 1, '' union all select 2, ${longText}`, {
    timeoutSeconds: 50,
  });
  expect(outcome).toMatchObject({
    ...{
      kind: 'query_failed',
      code: 'SQLITE_TOOBIG',
      message: expect.stringMatching(/536,870,888 characters.*substr/),
    },
  });
  expect(given.length).toBeLessThan(2);
  const long = await collect(database, 'select zeroblob(600000000)', { limits: { cellBytes: 12, wireBytes: 1_000 } });
  expect(long.rows).toEqual([[{ kept: '\\x0000000000', fullBytes: 600_000_000 }]]);
  expect((await collect(database, 'select a from t')).rows).toEqual([[1]]);
  // No lock remains.
  withDriver(at('driver.db'), driver => driver.exec('begin exclusive; rollback'));
}, 60_000);

test('a statement that is used a second time ends the first use, and reports that', () => {
  const file = new SqliteFile(at('driver.db'));
  const statement = file.prepare('select 1 union all select 2');
  const first = statement.iterate();
  first.next();
  statement.all();
  expect(() => first.next()).toThrow(/invalidated/);
  file.close();
});

test('no other file can be reached: not by ATTACH, VACUUM INTO or an address', async () => {
  const targets = [at('out.db'), `file:${at('out.db')}?mode=rwc`];
  for (const session of ['read', 'write', 'alone'] as const) {
    for (const target of targets) {
      for (const sql of [`attach '${target}' as x`, `vacuum into '${target}'`, `explain attach '${target}' as x`])
        expect([session, sql, (await collect(database, sql, { session })).outcome.kind]).not.toContain(
          sql.startsWith('explain') ? '' : 'done',
        );
      expect(existsSync(at('out.db'))).toBe(false);
    }
  }
  expect((await collect(database, 'vacuum', { session: 'alone' })).outcome.kind).toBe('done');
});

test('a read session accepts nothing that writes, whatever it starts with and returns', async () => {
  for (const sql of [
    'insert into t values (9, 9) returning a',
    'with w as (select 9 as a) insert into t select a, a from w returning a',
    'update t set b = 2 returning b',
    'delete from t returning *',
    'replace into t values (1, 2) returning a',
    'with w as (select 1) delete from t returning a',
    'create temp table x as select 1',
    'begin',
    'savepoint a',
  ])
    expect([sql, (await collect(database, sql)).outcome.kind]).toEqual([sql, 'read_only']);
  expect((await collect(database, 'with w as (select b from t) select * from w')).rows).toEqual([[1]]);
  expect(rows()).toEqual([[1n, 1n]]);
});

test('a WAL file is synchronised as SQLite advises, any other at each commit', async () => {
  const setting = async (of: Database, name: string) =>
    (await collect(of, `pragma ${name}`, { session: 'write' })).rows[0]?.[0];
  expect([await setting(database, 'synchronous'), await setting(database, 'cache_size')]).toEqual([2, -16_000]);
  withDriver(at('wal.db'), driver => driver.exec('pragma journal_mode = wal; create table t (a)'));
  const wal = openFile(at('wal.db'));
  expect(await setting(wal, 'synchronous')).toBe(1);
  await wal.close();
});

test("a feature that Node's SQLite doesn’t have is named", async () => {
  expect((await collect(database, "select soundex('a')")).outcome).toMatchObject({
    message: expect.stringContaining('soundex'),
  });
  for (const sql of [
    'delete from t limit 1',
    'update t set b = 2 order by a limit 1',
    'with w as (select 1) delete from t limit 1',
  ])
    expect((await collect(database, sql, { session: 'write' })).outcome).toMatchObject({
      message: expect.stringContaining(
        'takes no ORDER BY and no LIMIT in DELETE and UPDATE; name the rows by a subquery.',
      ),
    });
});
