/**
 * After a user's statement its session is as before, or is thrown away. No statement can change the
 * kind of a session.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { statementsOf } from '../../guard/statements/table.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { collect } from '../collecting-sink.ts';
import { endpointOf, portsOf } from './endpoint.ts';

needs(mariadbUnavailable()).describe('mysql sessions', () => {
  let server: MariadbServer;
  let database: Database;

  beforeAll(async () => {
    server = await lendMariadb();
    // One statement per line; bodies of routines contain semicolons.
    const fixture = readFileSync(new URL('../../sql/fixture-mysql.sql', import.meta.url), 'utf8');
    await server.client(`DELIMITER //\n${dialect(fixture).replaceAll('\n', '//\n')}`);
    database = openMysql(endpointOf(server, { database: 'adv' }), portsOf(server));
  }, 60_000);

  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  /** As text, since a number is an `int` on MariaDB and a `bigint` on MySQL. */
  const one = async (sql: string): Promise<string | null> => {
    const cell = (await collect(database, dialect(sql))).rows[0]?.[0];
    return cell == null ? null : String(cell);
  };

  // Each leaves something in the session; the next statement, which probably gets the same
  // connection, looks for it.
  test.each([
    ['a lock', "select get_lock('dirty', 0)", "select is_used_lock('dirty')", null],
    ['a user variable', 'select @dirty := 1', 'select @dirty', null],
    ['a variable of the session', 'set session sort_buffer_size = 123456', 'select @@sort_buffer_size = 123456', '0'],
    ['another default database', 'use mysql', 'select database()', 'adv'],
    ['its character set', 'set names latin1', 'select @@character_set_results', 'utf8mb4'],
    ['sql_mode', "set sql_mode = 'ANSI'", "select @@sql_mode like '%ANSI%'", '0'],
    ['autocommit', 'set autocommit = 0', 'select @@autocommit', '1'],
    ['its read-only wall', 'set session transaction read write', 'select @@tx_read_only', '1'],
    ['a time zone', "set time_zone = '+05:00'", 'select @@time_zone', 'SYSTEM'],
  ])('%s doesn’t remain', async (_, dirty, look, clean) => {
    for (const session of ['read', 'write', 'rollback', 'alone'] as const) {
      await collect(database, dirty, { session });
      // The connection may have been thrown away, which a busy server notices later. On a kept
      // connection it would stay for good.
      await until(async () => (await one(look)) === clean, `${session} leaves nothing`);
    }
  });

  test('the transaction that waits for a read sees later writes, and blocks nothing', async () => {
    await server.client('create table adv.waited (a int) engine = innodb');
    for (const rows of [0, 1, 2]) {
      expect(await one('select count(*) from waited')).toBe(String(rows));
      await server.client(`alter table adv.waited comment = '${rows}'; insert into adv.waited (a) values (1)`);
    }
  });

  test('a temporary table doesn’t remain', async () => {
    await collect(database, 'create temporary table dirty (a int)', { session: 'write' });
    expect((await collect(database, 'select * from dirty')).outcome).toMatchObject({
      kind: 'query_failed',
      code: '1146',
    });
  });

  test('a prepared statement and a parameter don’t remain', async () => {
    await collect(database, 'select ?', { parameters: ['secret'] });
    expect(await one('select @sallyport_0')).toBeNull();
    expect(await one('select @sallyport_sql')).toBeNull();
    expect((await collect(database, 'execute sallyport', {})).outcome.kind).toBe('query_failed');
    await collect(database, "prepare dirty from 'select 1'", { session: 'write' });
    expect((await collect(database, 'execute dirty', {})).outcome.kind).toBe('query_failed');
  });

  test('a table lock doesn’t remain', async () => {
    await collect(database, 'lock tables t write', { session: 'write' });
    const { outcome } = await collect(database, 'update t set name = name where id = 1', {
      session: 'write',
      timeoutSeconds: 3,
    });
    expect(outcome).toMatchObject({ kind: 'done' });
  });

  test('a lock that a rolled back statement took is gone', async () => {
    await collect(database, "update t set name = 'held' where id = 1", { session: 'rollback' });
    const { outcome } = await collect(database, 'update t set v = v + 1 where id = 1', {
      session: 'write',
      timeoutSeconds: 3,
    });
    expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 1 });
    expect(await one('select name from t where id = 1')).toBe('a');
  });

  test('rollback refuses what commits by itself, and says if something can’t be undone', async () => {
    for (const sql of [
      'drop table u',
      'alter table t add no int',
      'commit',
      'truncate table u',
      'create table no (a int)',
    ]) {
      expect((await collect(database, sql, { session: 'rollback' })).outcome.kind).toBe('unsupported');
    }
    const { outcome } = await collect(database, 'delete from t where id in (select 5)', { session: 'rollback' });
    expect(outcome).toMatchObject({ kind: 'done', rowsAffected: 1, warnings: [] });
    expect(await one('select count(*) from t')).toBe('5');
    const other = await collect(database, 'insert into my_isam values (2)', { session: 'rollback' });
    expect(other.outcome).toMatchObject({ kind: 'done', warnings: [expect.stringMatching(/rolled back/)] });
  });

  test('rollback waits 2 s for a lock, no longer', async () => {
    const client = new AbortController();
    const holder = collect(database, 'update t set v = sleep(20) where id = 2', {
      session: 'rollback',
      signal: client.signal,
    });
    await until(async () => (await server.ask('show processlist')).includes('set v = sleep(20)'), 'the row is held');
    const started = performance.now();
    const { outcome } = await collect(database, 'update t set v = 1 where id = 2', { session: 'rollback' });
    expect(outcome).toMatchObject({ kind: 'locked', seconds: 2 });
    expectWithin(started, 12_000);
    client.abort();
    await holder;
  });

  test('a lock that CREATE OR REPLACE … SELECT waits for is told, and that something may stay', async () => {
    if (isMysql()) return;
    await collect(database, 'create table replaced (a int)', { session: 'alone' });
    const client = new AbortController();
    const holder = collect(database, 'update t set v = sleep(20) where id = 3', {
      session: 'rollback',
      signal: client.signal,
    });
    await until(async () => (await server.ask('show processlist')).includes('where id = 3'), 'the row is held');
    const sql = 'create or replace table replaced as select id from t where id = 3 for update';
    const { outcome } = await collect(database, sql, { session: 'alone', timeoutSeconds: 3 });
    expect(outcome).toMatchObject({ kind: 'query_failed', code: '1205', stays: true });
    // The server drops it before it waits.
    expect(await one("select count(*) from information_schema.tables where table_name = 'replaced'")).toBe('0');
    client.abort();
    await holder;
  });

  test('affected rows are those changed, and null for a read', async () => {
    const write = { session: 'write' } as const;
    const same = await collect(database, "update t set name = 'b' where id = 2", write);
    expect(same.outcome).toMatchObject({ kind: 'done', rowsAffected: 0 });
    expect((await collect(database, 'select 1', write)).outcome).toMatchObject({ kind: 'done', rowsAffected: null });
  });

  test('a write is complete however few of its rows are wanted', async () => {
    await collect(database, 'create table many (a int, b longtext)', { session: 'write' });
    const filling = dialect("insert into many select seq, repeat('x', 1000) from seq_1_to_2000");
    // MySQL has no RETURNING: a procedure is what writes and returns rows there.
    const procedure = `create procedure filling() begin ${filling}; select a, b from many; end`;
    if (isMysql()) await collect(database, procedure, { session: 'write' });
    const { outcome, rows } = await collect(database, isMysql() ? 'call filling()' : `${filling} returning a, b`, {
      session: 'write',
      most: 3,
      limits: { cellBytes: 10, wireBytes: 50_000 },
    });
    // The rows that a procedure returns may not be those it changed.
    expect(outcome).toMatchObject({ kind: 'done', rowsAffected: isMysql() ? null : 2_000 });
    expect(rows).toHaveLength(3);
    expect(await one('select count(*) from many')).toBe('2000');
    if (isMysql()) return;
    const deleted = await collect(database, 'delete from many where a <= 500 returning a', {
      session: 'write',
      most: 3,
    });
    expect(deleted.outcome).toMatchObject({ kind: 'done', rowsAffected: 500 });
    const none = await collect(database, 'delete from many where a <= 500 returning a', { session: 'write' });
    expect(none.outcome).toMatchObject({ kind: 'done', rowsAffected: 0 });
    for (const [sql, rowsAffected] of [
      ['-- purge\ndelete from many where a <= 600 returning a', 100],
      ['/* x */ insert into many values (1, null) returning a', 1],
      ['# x\n --\n\t/**/replace/* y */into many values (1, null) returning a', 1],
      // Code that some servers run.
      ['/*! delete */ from many where a = 601 returning a', null],
    ] as const) {
      const { outcome } = await collect(database, sql, { session: 'write' });
      expect([sql, outcome]).toEqual([sql, expect.objectContaining({ kind: 'done', rowsAffected })]);
    }
  });

  test('the other results of a procedure are named, not mixed in', async () => {
    await collect(database, "create procedure two() begin select '1' a; select '2' b; end", { session: 'write' });
    const { outcome, rows, columns } = await collect(database, 'call two()', { session: 'write' });
    expect(rows).toEqual([['1']]);
    expect(columns?.map(({ name }) => name)).toEqual(['a']);
    expect(outcome).toMatchObject({ kind: 'done', warnings: [expect.stringMatching(/further results/)] });
  });

  test('IGNORE_SPACE and the like aren’t switched on without the server’s knowledge', async () => {
    expect(await one('select @@sql_mode = @@global.sql_mode')).toBe('1');
    expect((await collect(database, 'select count (*) from t')).outcome.kind).toBe('query_failed');
  });

  /**
   * What the wall can't stop as superuser, so the classifier must (spec §7). It stops everything
   * else that isn't classified as a read.
   */
  const notHeld = new Set([
    'CACHE INDEX my_isam IN default',
    "CHANGE MASTER TO MASTER_HOST='evil'",
    "SELECT LOAD_FILE/**/('/etc/hostname')",
    "SELECT /*!50000 LOAD_FILE*/('/etc/hostname')",
    'USE mysql',
    'SELECT user, authentication_string FROM mysql.user',
    'DO SLEEP(0.01)',
    "SELECT '¿\\'; DELETE FROM u; -- '",
    "SHOW GRANTS FOR 'root'@'localhost'",
    'HANDLER t OPEN',
    'PURGE BINARY LOGS BEFORE NOW()',
    'SHUTDOWN',
    '/*!99999 DELETE FROM u */ SELECT 1',
    'SELECT 1 /*! INTO @x */',
    'SELECT 1 INTO @x',
    "SELECT GET_LOCK('x',0)",
  ]);

  test('the read session alone stops the classified statements, except those named', async () => {
    const passed: string[] = [];
    for (const { walls, sql, class: judged } of statementsOf('mysql')) {
      if (walls !== 'measured' || judged === 'read' || sql === 'SHUTDOWN') continue;
      const { outcome } = await collect(database, sql, { timeoutSeconds: 5 });
      if (outcome.kind === 'done' && !notHeld.has(sql)) passed.push(sql);
    }
    expect(passed).toEqual([]);
  }, 60_000);
});
