/**
 * SQLite's authorizer and the wall behind it: a statement that it objects to doesn't run, and the
 * handle stops what the authorizer misses.
 */

import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import type { FileIdentity } from '../../../daemon/engines/sqlite/child/protocol.ts';
import { type Handle, openSessions } from '../../../daemon/engines/sqlite/child/session.ts';
import { follow } from '../../../daemon/engines/sqlite/follow.ts';
import { english } from '../../../daemon/guard/reason.ts';
import { forbiddenFunctions } from '../../../daemon/guard/sqlite/functions.ts';
import { writingClient } from '../../attacks/write-as-a-client.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import { call, collect } from '../collecting-sink.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

const at = temporaryFolder();
let database: Database;
let file: FileIdentity;
const classifier = judgingInThread();
const sessions = openSessions();

beforeAll(() => {
  const path = at('judged.db');
  withDriver(path, driver =>
    driver.exec(`create table t (id integer primary key, v); insert into t values (1, 1), (2, 2), (3, 3);
      create table kept (id integer primary key); create table c (t_id references t on delete cascade);
      create view w as select id, v from t; create trigger w_in instead of insert on w begin update t set v = new.v; end;
      create table trapped (a); create trigger trapped after insert on trapped begin select load_extension(new.a); end;
      create virtual table boxes using rtree (id, x0, x1); insert into boxes values (1, 0, 1);
      create virtual table words using fts4 (body); insert into words values ('a b'); insert into words values ('c d');`),
  );
  const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
  file = { path, realPath: path, device: String(dev), inode: String(ino), born: String(birthtimeNs) };
  database = openFile(path);
});
afterAll(() => database.close());

const tables = () => withDriver(at('judged.db'), driver => driver.rows('select name from sqlite_schema').flat());
const reading = <T>(work: (handle: Handle) => T): T =>
  sessions.within({ session: 'read', file, lockWaitMilliseconds: 0 }, work);

describe('with the authorizer off', () => {
  test.each([
    'delete from t',
    'insert into t values (9, 9) returning id',
    'create table x (a)',
    'create temp table x (a)',
    'drop table t',
    'pragma user_version = 9',
    'vacuum',
    'reindex',
    "insert into words(words) values ('optimize')",
    'select optimize(words) from words',
    `attach ':memory:' as x`,
    `vacuum into '${'x'.repeat(8)}'`,
  ])('the handle of a read stops %s', sql => {
    // No authorizer here: the mode is off, as for our own statements.
    expect(() => reading(handle => handle.within('off', () => handle.prepare(sql).all()))).toThrow(
      /readonly|read-only|too many attached|not authorized/,
    );
  });
});

describe('with the authorizer on', () => {
  test.each([
    ['select v from w', ''],
    ['insert into w (v) values (1)', 'INSERT w, UPDATE t'],
    ['delete from t where id = 1', 'DELETE t, DELETE c'],
    ['drop table kept', 'DROP_TABLE kept, DELETE kept'],
    ['create trigger g after insert on t begin delete from kept; end', 'CREATE_TRIGGER g'],
    ['alter table t drop column v', 'ALTER_TABLE t'],
    ['create view x as select 1', 'CREATE_VIEW x'],
    ['vacuum', ''],
    // Its module prepares INSERTs when it is first used.
    ['select * from boxes', ''],
  ])('%s does to SQLite: %j', (sql, expected) => {
    const events = reading(handle => handle.classify(sql).writes.map(({ act: [action, name] }) => `${action} ${name}`));
    const writes = [...new Set(events)].filter(event => !event.includes('sqlite_'));
    expect(writes.join(', ')).toBe(expected);
  });

  test.each([
    'pragma foreign_keys = off',
    'explain pragma main."query_only" = off',
    'pragma recursive_triggers(1)',
    'pragma user_version = 7',
    'pragma optimize',
    'begin',
    'explain savepoint fts3',
    "attach '' as x",
    'detach main',
    "select fts3_tokenizer('simple')",
    "select load_extension('x')",
  ])('%s is refused before it acts', sql => {
    reading(handle => {
      const settings = () =>
        ['foreign_keys', 'query_only', 'recursive_triggers', 'user_version', 'database_list'].map(name =>
          handle.prepare(`pragma ${name}`).all(),
        );
      const before = settings();
      expect(() => handle.classify(sql)).toThrow(expect.objectContaining({ why: expect.any(String) }));
      expect([settings(), handle.isTransaction]).toEqual([before, false]);
    });
  });

  const worded = (parts: unknown): string => english(JSON.parse(String(parts)));

  test('by its class, and nothing runs', async () => {
    const classify = async (sql: string) => (await collect(database, sql, { isClassified: true })).rows;
    expect(await classify('with t as (select 1 v) select v, (select max(id) from main.t) from t')).toEqual([
      ['read', expect.any(String)],
    ]);
    const [[kind, reason] = []] = await classify('drop table kept');
    expect([kind, worded(reason)]).toEqual(['destructive', 'To SQLite it is DROP TABLE of kept.']);
    const [[otherKind, other] = []] = await classify('delete from t');
    expect([otherKind, worded(other)]).toEqual(['write', 'To SQLite it is DELETE of t.']);
    expect(tables()).toContain('kept');
  });
});

test('a statement classified as a write that SQLite knows to be more doesn’t run', async () => {
  const run = async (sql: string) =>
    (await collect(database, sql, { session: 'write', isOnlyWrite: true })).outcome.kind;
  for (const sql of [
    'drop table kept',
    'create trigger g after insert on t begin delete from kept; end',
    'alter table t drop column v',
    'drop view w',
  ])
    expect([sql, await run(sql)]).toEqual([sql, 'not_as_provided']);
  expect(tables()).toEqual(expect.arrayContaining(['kept', 'w']));
  expect(tables()).not.toContain('g');
  for (const sql of ['insert into t values (4, 4)', 'update t set v = 5 where id = 4', 'create table more (a)'])
    expect([sql, await run(sql)]).toEqual([sql, 'done']);
});

test('a read and a plain write take one trip, all others are checked first', async () => {
  let trips = 0;
  const counted: Database = {
    ...database,
    run(request, sink) {
      trips += 1;
      return database.run(request, sink);
    },
  };
  const tripsOf = async (sql: string) => {
    trips = 0;
    const found = await follow(counted, classifier, call, sql, 'remembered');
    return [trips, found.kind === 'classified' ? found.run : found];
  };
  expect(await tripsOf('select v from w')).toEqual([0, { isOnlyWrite: false }]);
  for (const sql of ['update t set v = 1 where id = 1', 'insert into t values (8, 8)'])
    expect(await tripsOf(sql)).toEqual([0, { isOnlyWrite: true }]);
  for (const sql of ['create table n (a)', 'create unique index one on t(v)'])
    expect(await tripsOf(sql)).toEqual([0, { defines: [], isOnlyWrite: true }]);
  for (const sql of ['delete from t', 'drop table t']) expect(await tripsOf(sql)).toEqual([1, undefined]);
});

test('both classify a statement; its text tells the tables', async () => {
  const found = async (sql: string) => {
    const classified = await database.follow(classifier, call, sql);
    if (classified.kind !== 'classified') throw new Error(classified.failure.kind);
    const { class: kind, tables: named } = classified.classification;
    return [kind, named.map(({ name }) => name).join(' ')];
  };
  expect(await found('select (with t as (select 1 v) select v from t), (select 1 from t)')).toEqual(['read', 't']);
  expect(await found('with recursive n(i) as (select id from kept union select i from n) select * from n')).toEqual([
    'read',
    'kept',
  ]);
  expect(await found('with t as (select 1) delete from t where v = 1')).toEqual(['write', 't']);
  expect(await found('delete from t')).toEqual(['destructive', 't']);
  expect((await found("insert into trapped values ('x')"))[0]).toBe('forbidden');
  // If it doesn't prepare, its text decides.
  expect(await found('delete from nowhere where id = 1')).toEqual(['write', 'nowhere']);
});

test('a running statement may not do what its modules may not', async () => {
  const kind = async (sql: string, session: 'read' | 'write' | 'alone') =>
    (await collect(database, sql, { session })).outcome.kind;
  for (const sql of [
    'pragma foreign_keys = off',
    'pragma writable_schema = on',
    'pragma nosuch',
    'pragma journal_mode = off',
  ])
    expect([sql, await kind(sql, 'write'), await kind(sql, 'alone')]).toEqual([sql, 'unsupported', 'unsupported']);
  expect(await kind('select * from pragma_optimize', 'read')).toBe('read_only');
  for (const sql of ['pragma user_version = 3', 'pragma optimize', 'select optimize(words) from words', 'analyze'])
    expect([sql, await kind(sql, 'write')]).toEqual([sql, 'done']);
  expect(await kind('vacuum', 'alone')).toBe('done');
  expect(await kind('select * from boxes', 'read')).toBe('done');
});

test('the child refuses each function that the classifier forbids and this SQLite has', () => {
  withDriver(at('functions.db'), driver => {
    const here = new Set(driver.rows('select distinct lower(name) from pragma_function_list').flat());
    const callable = [...forbiddenFunctions.keys()].filter(name => here.has(name));
    expect(callable.length).toBeGreaterThan(0);
    for (const name of callable)
      expect(() => reading(handle => handle.classify(`select ${name}()`))).toThrow(
        /not available here|no such function|wrong number/,
      );
  });
});

test('if another program replaces what was classified, the run classifies it again', async () => {
  withDriver(at('swapped.db'), driver =>
    driver.exec(`create table t (id integer primary key); insert into t values (1), (2), (3); create table log (a);
      create view w as select id from t; create trigger w_out instead of delete on w begin select 1; end`),
  );
  const swapped = openFile(at('swapped.db'));
  const client = writingClient(() => swapped);
  const swap = (sql: string) => withDriver(at('swapped.db'), driver => driver.exec(sql));
  const trigger = (body: string) =>
    swap(`drop trigger w_out; create trigger w_out instead of delete on w begin ${body}; end`);
  expect(await client('delete from w where id = 1')).toBe('done');
  trigger('delete from t');
  expect(await client('delete from w where id = 1')).toMatch(/^denied: .*emptied "t" \(3 rows deleted\)/);
  trigger("select load_extension('x')");
  expect(await client('delete from w where id = 1')).toMatch(/^unsupported: .*loads code/);
  swap('drop view w; create table w(id); insert into w select id from t');
  expect(await client('delete from w where id > 0')).toMatch(/^denied: .*emptied "w" \(3 rows deleted\)/);
  await swapped.close();
});
