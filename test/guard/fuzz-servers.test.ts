/**
 * Compares the classifiers of PostgreSQL and MySQL with real servers. Queries are generated from
 * the engines' grammars, some with a call that acts. Each one classified as a read runs as the most
 * powerful account, in a transaction that may write, and must change nothing. A query that the
 * server accepts and that only uses the server's own functions must be a read.
 */

import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import fc from 'fast-check';
import { createConnection, type Connection as MysqlConnection, type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { lazyClassifiers } from '../../daemon/guard/index.ts';
import { classifyMysql } from '../../daemon/guard/mysql/classify-mysql.ts';
import type { ClassifyPostgres } from '../../daemon/guard/postgres/classify-postgres.ts';
import type { Classification } from '../../daemon/guard/types.ts';
import { needs } from '../needs.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../servers/postgres.ts';
import { assertForAsync, fuzzPatienceMilliseconds } from './fuzz.ts';
import { mysqlActs, mysqlQueries, postgresActs, postgresQueries } from './fuzz-queries.ts';

const postgres = findPostgres();
const { test: postgresTest } = needs('unavailable' in postgres ? postgres.unavailable : null);
const { test: mariadbTest } = needs(mariadbUnavailable());

function showing({ class: found, reason, calls }: Classification, sql: string): string {
  return `${found} (${reason}) calls [${calls.map(({ name }) => name)}]: ${JSON.stringify(sql)}`;
}

describe('PostgreSQL', () => {
  let server: PostgresServer;
  let client: pg.Client;
  let classify: ClassifyPostgres;

  beforeAll(async () => {
    if ('unavailable' in postgres) return;
    classify = await lazyClassifiers().postgres();
    server = await startPostgres(postgres);
    await server.psql(`create table t(id int primary key, name text, v int, a int[], j jsonb); create table u(id int, t_id int);
      insert into t select g, 'n' || g, g, array[g], '{"k":[1,2]}' from generate_series(1, 3) g; insert into u values (1, 1);
      create sequence s; select lo_from_bytea(4242, 'x');`);
    client = new pg.Client({
      host: server.socketFolder,
      port: server.port,
      user: server.superuser,
      database: 'postgres',
    });
    await client.connect();
    await client.query("set statement_timeout = '2s'");
  }, 60_000);
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  }, 60_000);

  const look = `select pg_current_xact_id_if_assigned()::text, (select last_value || is_called::text from s),
    (select count(*)::text from pg_largeobject_metadata), (select count(*)::text from t), current_user, current_setting('work_mem'),
    (select count(*)::text from pg_locks where pid = pg_backend_pid() and (locktype = 'advisory' or (locktype = 'relation' and mode <> 'AccessShareLock'))),
    (select count(*)::text from pg_cursors where name <> ''), (select count(*)::text from pg_prepared_statements where name <> '')`;

  /** @returns whether the server accepted it, and what it changed. */
  async function run(sql: string): Promise<{ taken: boolean; changed: string | null }> {
    await client.query('begin');
    try {
      await client.query('savepoint before');
      const before = JSON.stringify((await client.query({ text: look, rowMode: 'array' })).rows);
      try {
        await client.query({ text: sql, rowMode: 'array', values: [] });
      } catch {
        return { taken: false, changed: null };
      }
      const after = JSON.stringify((await client.query({ text: look, rowMode: 'array' })).rows);
      return { taken: true, changed: before === after ? null : `${before} ${after}` };
    } finally {
      await client.query('rollback; select pg_advisory_unlock_all()');
    }
  }

  postgresTest(
    'what is called a read changes nothing, and what acts is none',
    async () => {
      let taken = 0;
      await assertForAsync(0.6, postgresQueries(fc.option(postgresActs, { freq: 3 })), async ({ sql, act }) => {
        const found = classify(sql);
        if (found.class !== 'read') return;
        const { changed, taken: isTaken } = await run(sql);
        taken += isTaken ? 1 : 0;
        // A plan keeps locks on its tables until its transaction ends.
        if (changed !== null && !/^explain (?!\(analyze)/.test(sql)) {
          throw new Error(`${showing(found, sql)} changed ${changed}`);
        }
        if (isTaken && act !== null && found.calls.length === 0 && !/^explain (?!\(analyze)/.test(sql)) {
          throw new Error(`with ${act}: ${showing(found, sql)}`);
        }
      });
      expect(taken).toBeGreaterThan(5);
    },
    fuzzPatienceMilliseconds,
  );

  postgresTest(
    'what the server takes as a query of its own functions is a read',
    async () => {
      let taken = 0;
      await assertForAsync(0.4, postgresQueries(fc.constant(null)), async ({ sql }) => {
        const found = classify(sql);
        // `(t).v` may call a function of one argument: the catalog is asked and knows none.
        if (found.class === 'read') {
          taken += 1;
          return;
        }
        if ((await run(sql)).taken) throw new Error(`refused: ${showing(found, sql)}`);
      });
      expect(taken).toBeGreaterThan(5);
    },
    fuzzPatienceMilliseconds,
  );
});

describe('MariaDB', () => {
  let server: MariadbServer;
  let connection: MysqlConnection;

  beforeAll(async () => {
    if (mariadbUnavailable() !== null) return;
    server = await startMariadb(['--log-bin=bin', '--sync-binlog=0', '--secure-file-priv=']);
    await dial();
    for (const sql of [
      'create database adv',
      'use adv',
      'create table t(id int primary key, name varchar(20), v int, d date, j longtext, key ix(v), fulltext key ft(name)) engine=innodb',
      `insert into t values (1, 'a', 1, '2020-01-01', '{"k":1}'), (2, 'b', 2, '2021-01-01', '[1]')`,
      'create table u(id int, t_id int) engine=innodb',
      'insert into u values (1, 1)',
      ...(isMysql() ? [] : ['create sequence s']),
    ]) {
      await connection.query(sql);
    }
  }, 60_000);
  afterAll(async () => {
    await connection?.end();
    await server?.stop();
  }, 60_000);

  const look = `select ${isMysql() ? '' : '(select next_not_cached_value from adv.s), '}last_insert_id(), database(), (select count(*) from adv.t),
    (select count(*) from information_schema.innodb_trx where trx_mysql_thread_id = connection_id() and (trx_rows_modified > 0 or trx_lock_structs > 0)),
    (select count(*) from performance_schema.metadata_locks l join performance_schema.threads h on h.thread_id = l.owner_thread_id
      where h.processlist_id = connection_id() and object_type = 'USER LEVEL LOCK')`;

  async function dial(): Promise<void> {
    const { host, port, user, password } = server;
    connection = await createConnection({ host, port, user, password });
    connection.on('error', () => {});
    await connection.query(dialect('set @@max_statement_time = 2'));
  }

  /** Some queries crash this server: that is its own fault, and no change. */
  async function run(sql: string): Promise<{ taken: boolean; changed: string | null }> {
    try {
      return await runOnce(sql);
    } catch (error) {
      const isLost = error instanceof Error && /closed state|lost|ECONNRE|EPIPE/.test(error.message);
      if (!isLost) throw error;
      connection.destroy();
      await dial().catch(async () => {
        await server.restart();
        await dial();
      });
      await connection.query('use adv');
      return { taken: false, changed: null };
    }
  }

  async function runOnce(sql: string): Promise<{ taken: boolean; changed: string | null }> {
    const seen = async () =>
      JSON.stringify([
        (await connection.query<RowDataPacket[]>(look))[0],
        (await connection.query(dialect('show master status')))[0],
      ]);
    const before = await seen();
    let taken = true;
    await connection.query('start transaction');
    try {
      await connection.query(sql);
    } catch {
      taken = false;
    }
    const after = await seen();
    await connection.query('rollback');
    if (before !== after) await connection.query('do release_all_locks()');
    return { taken, changed: before === after ? null : `${before} ${after}` };
  }

  mariadbTest(
    'what is called a read changes nothing, and what acts is none',
    async () => {
      let taken = 0;
      await assertForAsync(0.6, mysqlQueries(fc.option(mysqlActs, { freq: 3 })), async ({ sql, act }) => {
        const found = classifyMysql(sql);
        if (found.class !== 'read') return;
        const { changed, taken: isTaken } = await run(sql);
        taken += isTaken ? 1 : 0;
        if (changed !== null) throw new Error(`${showing(found, sql)} changed ${changed}`);
        if (isTaken && act !== null && found.calls.length === 0 && !/^explain (?!\(analyze)/.test(sql)) {
          throw new Error(`with ${act}: ${showing(found, sql)}`);
        }
      });
      expect(taken).toBeGreaterThan(5);
    },
    fuzzPatienceMilliseconds,
  );

  mariadbTest(
    'what the server takes as a query of its own functions is a read',
    async () => {
      let taken = 0;
      await assertForAsync(0.4, mysqlQueries(fc.constant(null)), async ({ sql }) => {
        const found = classifyMysql(sql);
        if (found.class === 'read' && found.calls.length === 0) {
          taken += 1;
          return;
        }
        if ((await run(sql)).taken) throw new Error(`refused: ${showing(found, sql)}`);
      });
      expect(taken).toBeGreaterThan(5);
    },
    fuzzPatienceMilliseconds,
  );
});
