/**
 * What a client is told of waiting, on real servers: each sentence is compared with a second look
 * at the server.
 */

import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { processesOf } from '../../servers/processes-with.ts';
import { SqliteFile } from '../../sqlite-file.ts';
import { until } from '../../waiting/until.ts';
import { connectionNames, describeWithThreeEngines, type ToolResult } from './three-engines.ts';

const program = "ada's console";

describeWithThreeEngines('waiting', three => {
  let token: string;
  const people: { end(): unknown }[] = [];

  const person = async (): Promise<Client> => {
    const { postgres } = three;
    const client = new Client({
      ...{ host: postgres.host, port: postgres.port, user: postgres.superuser, password: postgres.password },
      ...{ database: 'shop', application_name: program },
    });
    // The server that is lent next ends it.
    client.on('error', () => {});
    await client.connect();
    people.push(client);
    return client;
  };
  const added = async (name: string, url: string, ...words: string[]): Promise<void> => {
    const ran = await three.here(['connections', 'add', url, '--name', name, ...words]);
    expect(ran).toMatchObject({ code: 0 });
  };
  const postgresUrl = (user = three.postgres.superuser, password = three.postgres.password) =>
    `postgres://${user}:${password}@127.0.0.1:${three.postgres.port}/shop`;
  const told = async (connection: string, sql: string, seconds = 5): Promise<string> => {
    const { json, text } = await three.call(token, 'execute_query', { connection, sql, timeout_seconds: seconds });
    return (json.result as ToolResult | undefined)?.content?.[0]?.text ?? json.error?.message ?? text;
  };
  const rows = () => three.postgres.ask('select count(*) from t', 'shop');
  const values = () => three.postgres.ask("select string_agg(a::text, ',') from t", 'shop');

  beforeAll(async () => {
    token = (await three.mint('--scope', 'read-write')).token;
    for (const name of Object.values(connectionNames)) {
      const set = await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
      expect(set).toMatchObject({ code: 0 });
    }
  }, 60_000);
  beforeEach(async () => {
    await three.postgres.psql('drop table if exists t; create table t (a integer); insert into t values (1)', 'shop');
    await three.mariadb.client('CREATE OR REPLACE TABLE t (a int primary key); INSERT INTO t VALUES (1)', {
      database: 'shop',
    });
  });
  afterEach(async () => {
    for (const one of people.splice(0)) await one.end();
  });

  test('PostgreSQL: a lock of a row or a table, with who holds it; a slow statement is none', async () => {
    const holder = await person();
    await holder.query('begin; update t set a = 2');
    const held = new RegExp(
      `^lock_timeout: The statement waited [\\d.]+ s for a lock of another session and was ended; nothing of it stays\\. It is held by "${program}" of the user "postgres", in a transaction since (.*) UTC that runs no statement now\\. Send it again once that session has ended its transaction, or give it longer with timeout_seconds\\.$`,
    );
    const said = await told('Pg', 'update t set a = 3 where a = 1');
    expect(said).toMatch(held);
    const began = await three.postgres.ask(
      `select to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') from pg_stat_activity where application_name = '${program.replace("'", "''")}'`,
    );
    expect(held.exec(said)?.[1]).toBe(began);
    await holder.query('commit');
    expect(await values()).toBe('2');
    await holder.query('begin; lock table t in access exclusive mode');
    expect(await told('Pg', 'select a from t')).toMatch(held);
    // Others wait behind a definition, so it waits 2 s, however long the call may take.
    expect(await told('Pg', 'alter table t add b integer')).toMatch(
      /^lock_timeout: The statement waited 2 s .* Send it again once that session has ended its transaction\.$/,
    );
    await holder.query('rollback');
    expect(await told('Pg', 'select pg_sleep(60)')).toMatch(/^timeout: .* 5 s, /);
    // A lock that isn't waited for is an error of the statement.
    await holder.query('begin; update t set a = 4');
    expect(await told('Pg', 'select a from t for update nowait')).toMatch(/^(?:denied|query_failed): /);
  }, 60_000);

  test('MariaDB: a lock of a row or a table', async () => {
    const { mariadb } = three;
    const update = 'update t set a = 3 where a = 1';
    const held = async (sql: string, sayings: RegExp, ...asked: readonly string[]): Promise<void> => {
      const holding = mariadb.client(`${sql}; do sleep(60)`, { database: 'shop' }).catch(() => '');
      const runs =
        "select id from information_schema.processlist where info like '%do sleep(60)%' and id <> connection_id()";
      await until(async () => (await mariadb.ask(runs)).trim() !== '', 'it is held');
      try {
        for (const one of asked) expect([one, await told('Maria', one)]).toEqual([one, expect.stringMatching(sayings)]);
      } finally {
        await mariadb.client(`kill ${(await mariadb.ask(runs)).trim()}`);
        await holding;
      }
      expect((await mariadb.ask('select * from t', 'shop')).trim()).toBe('1');
    };
    const ended =
      'lock_timeout: The statement waited \\d+ s for a lock of another session and was ended; nothing of it stays\\.';
    const who = `It is held by a session of the user "${mariadb.user}", in a transaction since .* UTC\\.`;
    await held('begin; update t set a = 2', new RegExp(`^${ended} ${who} Send it again`), update);
    const untold = new RegExp(`^${ended} The server did not tell who holds it\\.`);
    await held('lock tables t write', untold, update, 'alter table t add b int');
    // COMMIT waits for such a backup.
    const backup = ['start', 'flush', 'block_ddl', 'block_commit'].map(stage => `backup stage ${stage}`).join('; ');
    await held(backup, untold, 'insert into t values (2)');
    expect(await told('Maria', 'select sleep(60)')).toMatch(/^timeout: .* 5 s, /);
  }, 60_000);

  test('SQLite: a lock of another program', async () => {
    const other = new SqliteFile(three.sqliteFile);
    other.exec('begin immediate');
    try {
      expect(await told('File', 'insert into first values (1)')).toMatch(/^lock_timeout: .* 4 s .* another program\. /);
    } finally {
      other.exec('rollback');
      other.close();
    }
    expect(await told('File', 'select count(*) from first')).toContain('[[0]]');
  }, 60_000);

  test('the limits of a role and of a user stay, and are told by name', async () => {
    await three.postgres.psql(
      "drop role if exists hurried; create role hurried login password 'x'; alter role hurried set statement_timeout = '700ms'; alter role hurried set lock_timeout = '300ms'; alter table t owner to hurried",
      'shop',
    );
    await added('Hurried', postgresUrl('hurried', 'x'), '--external-clients', 'read-write');
    const holder = await person();
    for (const turn of ['the session that asks for them', 'a later call']) {
      expect([turn, await told('Hurried', 'select pg_sleep(60)', 5)]).toEqual([
        turn,
        expect.stringMatching(/^timeout: The server ended the statement by its own limit, statement_timeout, and/),
      ]);
      expect(
        await told('Hurried', "select current_setting('statement_timeout'), current_setting('lock_timeout')", 5),
      ).toContain('[["700ms","300ms"]]');
    }
    await holder.query('begin; lock table t');
    expect(await told('Hurried', 'update t set a = 3 where a = 1', 5)).toMatch(
      /^lock_timeout: .* 0\.3 s .*, lock_timeout; .* ended its transaction\.$/,
    );
    await holder.query('rollback');
    await three.mariadb.client(
      "CREATE OR REPLACE USER hurried@'%' IDENTIFIED BY 'x' WITH MAX_STATEMENT_TIME 1; GRANT ALL ON shop.* TO hurried@'%'",
    );
    await added('HurriedMaria', `mariadb://hurried:x@127.0.0.1:${three.mariadb.port}/shop`);
    for (const sql of ['select sleep(60)', "select benchmark(1000000000, md5('a'))"])
      expect(await told('HurriedMaria', sql, 5)).toMatch(
        /^timeout: The server ended the statement by its own limit, max_statement_time, and/,
      );
  }, 60_000);

  test('a server without room for this role: nothing ran, and a later call runs', async () => {
    await three.postgres.psql("drop role if exists one; create role one login password 'x' connection limit 1", 'shop');
    await added('Limited', postgresUrl('one', 'x'));
    const other = new Client({ connectionString: postgresUrl('one', 'x') });
    await other.connect();
    expect(await told('Limited', 'select 1')).toMatch(
      /^busy: Nothing ran: the server of "Limited" takes no further connection now \(it said: too many connections for role "one"\)\. Send it again later\.$/,
    );
    await other.end();
    await until(async () => (await told('Limited', 'select 1')).includes('[[1]]'), 'there is room again');
  }, 60_000);

  test('a password command that hangs takes the call’s time, and no more', async () => {
    await added(
      'Hangs',
      `postgres://${three.postgres.superuser}@127.0.0.1:${three.postgres.port}/shop`,
      ...['--password-command', 'sleep 600'],
    );
    await added(
      'HangsMaria',
      `mariadb://root@127.0.0.1:${three.mariadb.port}/shop`,
      ...['--password-command', 'sleep 600'],
    );
    for (const name of ['Hangs', 'HangsMaria'])
      expect(await told(name, 'select 1')).toMatch(
        new RegExp(`^not_connected: "${name}": nothing ran: its password did not come within 5 s\\.`),
      );
  }, 60_000);

  test('a tunnel that freezes: before the sign-in, in a read and in a write', async () => {
    const target = `TCP:127.0.0.1:${three.postgres.port}`;
    const { superuser, password } = three.postgres;
    const command = `socat UNIX-LISTEN:{socket},fork,backlog=32 ${target}`;
    await added(
      'Tunnel',
      `postgres://${superuser}:${password}@localhost:1/shop`,
      ...['--tunnel-command', command, '--external-clients', 'read-write'],
    );
    expect(await told('Tunnel', 'select 40 + 2')).toContain('[[42]]');
    const relays = () => processesOf('socat', target);
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const pid of relays()) process.kill(pid, name);
    };
    const running = (sql: string) =>
      until(async () => (await three.running('postgres')).some(query => query.includes(sql)), `${sql} runs`);
    const silent =
      'not_connected: "Tunnel": neither its tunnel nor the server behind it has answered for \\d+ s\\. Nothing of the statement stays,';
    for (const sql of ['select pg_sleep(20)', 'insert into t select 2 from pg_sleep(20)']) {
      const asked = told('Tunnel', sql);
      await running(sql);
      signal('SIGSTOP');
      expect(await asked).toMatch(new RegExp(`^${silent}`));
      signal('SIGCONT');
      await until(async () => (await three.running('postgres')).length === 0, 'it has ended');
    }
    expect(await rows()).toBe('1');
    signal('SIGSTOP');
    expect(await told('Tunnel', 'select 1')).toMatch(
      /^not_connected: "Tunnel": nothing ran: neither its tunnel nor the server behind it has answered for /,
    );
    signal('SIGCONT');
  }, 90_000);

  test('a stop while a read and a write run, before COMMIT and in it', async () => {
    const { postgres } = three;
    const stopped = async (connection: string, sql: string, runs: () => Promise<boolean>): Promise<string> => {
      const asked = told(connection, sql, 60);
      await until(runs, `${sql} runs`);
      expect((await three.run(['stop'])).code).toBe(0);
      const said = await asked;
      expect((await three.run(['start'])).code).toBe(0);
      return said;
    };
    const active = (like: string) => async () =>
      (await postgres.ask(`select count(*) from pg_stat_activity where state = 'active' and query like '${like}%'`)) ===
      '1';
    const nothing = /No statement of this request took effect\.$/;
    expect(await stopped('Pg', 'select pg_sleep(60)', active('select pg_sleep'))).toMatch(nothing);
    expect(await stopped('Pg', 'insert into t select 2 from pg_sleep(60)', active('insert into t'))).toMatch(nothing);
    expect(await rows()).toBe('1');
    const slow = 'insert into t select seq + 10 from seq_1_to_1000 where sleep(0.05) = 0';
    const fills = async () => (await three.running('mysql')).includes(slow);
    expect(await stopped('Maria', slow, fills)).toMatch(nothing);
    expect((await three.mariadb.ask('select count(*) from t', 'shop')).trim()).toBe('1');
    for (const sql of ["set synchronous_commit = 'on'", "set synchronous_standby_names = 'nobody'"])
      await postgres.psql(`alter system ${sql}`);
    await postgres.psql('select pg_reload_conf()');
    try {
      expect(await stopped('Pg', 'insert into t values (3)', active('COMMIT'))).toMatch(
        /it may have taken effect: look before you repeat it\.$/,
      );
    } finally {
      for (const name of ['synchronous_standby_names', 'synchronous_commit'])
        await postgres.psql(`alter system reset ${name}`);
      await postgres.psql('select pg_reload_conf()');
    }
    await until(async () => (await values()).includes('3'), 'it was committed');
  }, 120_000);
});
