/**
 * A server or pooler allows one, two or three sessions: every call waits for one of ours, whatever
 * it needs, and none fails while sessions of ours lie idle.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import type { CallContext, Database, StatementRequest } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { needs } from '../needs.ts';
import { type FullLine, openFullLine } from '../servers/full-line.ts';
import { lendMariadb } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { type Pooler, pgbouncerUnavailable, startPgbouncer } from '../servers/pgbouncer.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';
import { call, collect } from './collecting-sink.ts';
import { endpointOf, portsOf } from './mysql/endpoint.ts';
import { describeWithPostgres } from './postgres/suite.ts';

const contextOf = (principal: string | null): CallContext => ({ ...call, principal, client: principal ?? 'owner' });

type Ended = Promise<{ readonly kind: string }>;

/** One of each kind of call, on a table `few`. */
function kindsOf(database: Database, principal: string | null, alone: string): readonly (() => Ended)[] {
  const context = contextOf(principal);
  const run = (sql: string, session: StatementRequest['session']) => async () =>
    (await collect(database, sql, { ...context, session })).outcome;
  return [
    run('select * from few', 'read'),
    run('insert into few (id) values (1)', 'write'),
    run(alone, 'alone'),
    run('update few set id = 2', 'rollback'),
    () => database.rehearse(context, async () => 'ran'),
    () => database.rehearse({ ...context, givesWay: true }, async () => 'ran'),
    () => database.status(context),
    () => database.listTables(context),
    () => database.listSchemas(context),
    () => database.describeTables(context, ['few'], true),
  ];
}

async function expectAll(calls: readonly (() => Ended)[]): Promise<void> {
  const ended = await Promise.all(calls.map(start => start()));
  expect(ended.filter(({ kind }) => kind !== 'done')).toEqual([]);
}

function suite(open: () => Promise<Database>, reads: string, alone: string): void {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  }, 60_000);
  afterEach(() => database?.close());

  test('eight calls of one client at once, twice', async () => {
    const one = async () => (await collect(database, reads, contextOf('one'))).outcome;
    await expectAll(Array.from({ length: 8 }, () => one));
    await expectAll(Array.from({ length: 8 }, () => one));
  }, 120_000);

  test('every kind of call, one after another', async () => {
    for (const kind of kindsOf(database, 'one', alone)) await expectAll([kind]);
  }, 120_000);

  test('every kind of call of three clients and the owner, at once', async () => {
    await expectAll(['one', 'two', 'three', null].flatMap(principal => kindsOf(database, principal, alone)));
  }, 240_000);
}

const tables = (type: string) => `drop table if exists few; create table few (id int, own ${type});`;

describeWithPostgres('PostgreSQL', server => {
  const alone = 'vacuum few';
  let line: FullLine | null = null;
  let pooler: Pooler | null = null;
  const prepared = async (): Promise<void> => {
    await server.server.psql(`drop table if exists few; drop type if exists own_type; create type own_type as enum ('a');
      create table few (id int, own own_type); grant all on few to public; insert into few (own) values ('a')`);
  };
  afterAll(async () => {
    await line?.close();
    await pooler?.stop();
  });
  const limited = (most: number) => async (): Promise<Database> => {
    await prepared();
    await server.server.psql(`drop owned by limited_${most}; drop role if exists limited_${most}`).catch(() => {});
    await server.server.psql(`create role limited_${most} login password 'x' connection limit ${most};
      alter table few owner to limited_${most}`);
    return server.open({ user: `limited_${most}` }, 'x');
  };
  const reads = 'select pg_sleep(0.1)';
  for (const most of [1, 2]) describe(`a connection limit of ${most}`, () => suite(limited(most), reads, alone));
  for (const further of ['closed', 'waits'] as const)
    describe(`a line of 2, a third ${further === 'closed' ? 'is closed' : further}`, () =>
      suite(
        async () => {
          await prepared();
          await line?.close();
          line = await openFullLine(server.server.port, 2, further);
          return server.open({ port: line.port });
        },
        reads,
        alone,
      ));
  needs(pgbouncerUnavailable()).describe('PgBouncer', () => {
    for (const options of [
      ['pool_mode = session', 'default_pool_size = 3'],
      ['pool_mode = transaction', 'default_pool_size = 3'],
      ['pool_mode = session', 'max_client_conn = 3'],
    ])
      describe(options.join(', '), () =>
        suite(
          async () => {
            await prepared();
            await pooler?.stop();
            pooler = await startPgbouncer(server.server, options);
            return server.open({ port: pooler.port });
          },
          reads,
          alone,
        ),
      );
  });

  test('the only session can’t ask what a type is called while its statement runs, and does so behind it', async () => {
    const database = await limited(1)();
    const own = async () => (await collect(database, 'select own from few', contextOf('one'))).columns;
    expect(await own()).toEqual([{ name: 'own', type: expect.stringMatching(/^type \d+$/) }]);
    await until(async () => (await own())?.[0]?.type === 'own_type', 'the type has its name');
  }, 60_000);

  test('others have them all: the server’s own words, and as soon as one is free, it works', async () => {
    const database = await limited(1)();
    const { host, port } = server.server;
    const other = new pg.Client({ host, port, user: 'limited_1', password: 'x', database: 'postgres' });
    await other.connect();
    const { outcome } = await collect(database, 'select 1', contextOf('one'));
    await other.end();
    expect(outcome).toEqual({
      kind: 'busy',
      why: { who: 'server', said: 'too many connections for role "limited_1"', seconds: null },
    });
    await expectAll(kindsOf(database, 'one', alone));
  }, 60_000);
});

needs(mariadbUnavailable()).describe('MariaDB', () => {
  const alone = 'optimize table few';
  const reads = 'select sleep(0.1)';
  let server: MariadbServer;
  let lines: FullLine[] = [];
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(`create database few; use few; ${tables("enum('a')")}`);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(lines.map(line => line.close()));
    lines = [];
    await server?.stop();
  }, 60_000);
  const limited = (most: number) => async (): Promise<Database> => {
    await server.client(`create or replace user limited_${most} identified by 'x' with max_user_connections ${most};
      grant all on few.* to limited_${most}`);
    const user = endpointOf(server, { user: `limited_${most}`, database: 'few', databases: 'own' });
    return openMysql(user, portsOf({ password: 'x' }));
  };
  for (const most of [1, 2]) describe(`max_user_connections ${most}`, () => suite(limited(most), reads, alone));
  for (const further of ['closed', 'waits'] as const)
    describe(`a line of 2, a third ${further === 'closed' ? 'is closed' : further}`, () =>
      suite(
        async () => {
          const line = await openFullLine(server.port, 2, further);
          lines.push(line);
          return openMysql(endpointOf(server, { port: line.port, database: 'few' }), portsOf(server));
        },
        reads,
        alone,
      ));

  test('others have them all: the server’s own words, and as soon as one is free, it works', async () => {
    const database = await limited(1)();
    const other = await createConnection({ host: server.host, port: server.port, user: 'limited_1', password: 'x' });
    const { outcome } = await collect(database, 'select 1', contextOf('one'));
    await other.end();
    expect(outcome).toEqual({
      kind: 'busy',
      why: { who: 'server', said: expect.stringContaining("'max_user_connections'"), seconds: null },
    });
    await expectAll(kindsOf(database, 'one', alone));
    await database.close();
  }, 60_000);

  test('nobody can be asked who holds a lock: the call is answered in its time', async () => {
    const line = await openFullLine(server.port, 1, 'waits');
    lines.push(line);
    const database = openMysql(endpointOf(server, { port: line.port, database: 'few' }), portsOf(server));
    await server.client('use few; insert into few (id) values (1)');
    const holding = server.client('use few; begin; update few set id = 3; do sleep(12)');
    let held = '';
    await until(async () => {
      held = (await server.ask("select id from information_schema.processlist where info like 'do sleep(12)%'")).trim();
      return held !== '';
    }, 'the row is held');
    const began = performance.now();
    const sql = 'update few set id = 2';
    const { outcome } = await collect(database, sql, { ...contextOf('one'), session: 'write', timeoutSeconds: 4 });
    expect(outcome).toEqual({ kind: 'locked', seconds: 3, holder: null });
    expectWithin(began, 4_000);
    await database.close();
    const ended = expect(holding).rejects.toThrow();
    await server.ask(`kill ${held}`);
    await ended;
  }, 60_000);

  test('the only session is killed: the next call gets one as soon as the kill is over', async () => {
    // MariaDB itself counts a session until its statement has ended; a pooler's place is free sooner.
    const line = await openFullLine(server.port, 1, 'closed');
    lines.push(line);
    const ports = portsOf(server);
    // By the time that the kill's dial has it, the line has seen the end of the statement's session.
    const password: typeof ports.password = (...asked) => wait(100).then(() => ports.password(...asked));
    const database = openMysql(endpointOf(server, { port: line.port, database: 'few' }), { ...ports, password });
    const client = new AbortController();
    const stopped = collect(database, 'select sleep(20)', { ...contextOf('one'), signal: client.signal });
    const running = "select count(*) from information_schema.processlist where info like 'select sleep(20)%'";
    await until(async () => (await server.ask(running)).trim() === '1', 'it runs');
    // By then it is known that there is no second session.
    await wait(500);
    const began = performance.now();
    const next = collect(database, 'select 1', contextOf('one'));
    await wait(50);
    client.abort();
    expect((await stopped).outcome).toEqual({ kind: 'cancelled' });
    expect((await next).outcome).toMatchObject({ kind: 'done' });
    expectWithin(began, 3_000);
    await database.close();
  }, 60_000);
});
