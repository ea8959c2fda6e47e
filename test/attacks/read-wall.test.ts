/**
 * Servers that take READ ONLY and mean nothing by it: a read that the guard took for one by mistake
 * would write. No client reads there until the person has accepted that.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { call, collect } from '../engines/collecting-sink.ts';
import * as mysql from '../engines/mysql/endpoint.ts';
import * as postgres from '../engines/postgres/suite.ts';
import { needs } from '../needs.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import {
  type Relay,
  relayAsTidb,
  relayOnceInstead,
  relayOnceRefusing,
  relaySilentAt,
  relayWithoutReadOnly,
} from '../servers/lying-relays.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';

const relays: Relay[] = [];
const opened: Database[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(database => database.close()));
  await Promise.all(relays.splice(0).map(relay => relay.stop()));
});
const keep = <Kept>(all: Kept[], one: Kept): Kept => {
  all.push(one);
  return one;
};

type Changes = Partial<Endpoint>;

async function isHonest(database: Database): Promise<void> {
  const status = await database.status(call);
  expect(status).toMatchObject({ kind: 'done', value: { isReadWallMissing: false } });
  if (status.kind === 'done') expect(status.value.warnings.join()).not.toContain("doesn't end");
}

/** @param open a database behind a server that writes in what only reads. */
function holds(open: (changes: Changes) => Promise<Database>, rows: () => Promise<string>): void {
  const insert = 'insert into kept values (2)';

  test('a client reads nothing, and nothing is written', async () => {
    const database = await open({});
    for (const sql of ['select 1', insert, 'select 2'])
      expect([sql, (await collect(database, sql)).outcome.kind]).toEqual([sql, 'unproved_wall']);
    expect(await rows()).toBe('1');
    expect(await database.status(call)).toMatchObject({ kind: 'done', value: { isReadWallMissing: true } });
  });

  test('our own questions, and writes, are answered', async () => {
    const database = await open({});
    expect(await database.listSchemas(call)).toMatchObject({ kind: 'done' });
    const write = await collect(database, 'update kept set id = id', { session: 'write' });
    expect(write.outcome.kind).toBe('done');
  });

  test('once it is accepted clients read, and it is still told', async () => {
    const database = await open({ walls: 'one' });
    for (let turn = 0; turn < 3; turn += 1)
      expect((await collect(database, 'select id from kept')).rows).toEqual([[1]]);
    expect(await database.status(call)).toMatchObject({ kind: 'done', value: { isReadWallMissing: true } });
  });
}

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).describe('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create table kept as select 1 as id');
  }, 60_000);
  afterAll(() => server?.stop());
  const open = (port: number, changes: Changes): Database =>
    keep(opened, openPostgres(postgres.endpointOf(server, { port, ...changes }), postgres.portsOf(server.password)));
  const rows = () => server.psql('select count(*) from kept');

  describe.each([
    ['READ ONLY means nothing', false],
    ['the same without DO', true],
  ])('%s', (_what, hasNoDo) => {
    holds(async changes => open(keep(relays, await relayWithoutReadOnly(server.port, hasNoDo)).port, changes), rows);
  });

  test.each([
    ['an honest server', () => server.port],
    [
      'one without PL/pgSQL',
      async () => {
        await server.psql('drop extension plpgsql');
        return server.port;
      },
    ],
  ])('%s is asked once, and reads', async (_what, portOf) => {
    const database = open(await portOf(), {});
    for (let turn = 0; turn < 2; turn += 1)
      expect(await postgres.runOn(database, 'select id from kept', { isStateless: true })).toMatchObject({
        outcome: { kind: 'done' },
        rows: [[1]],
      });
    expect((await collect(database, 'insert into kept values (2)')).outcome.kind).toBe('read_only');
    await isHonest(database);
    await server.psql('create extension if not exists plpgsql');
  });

  test.each(['own', 'one'] as const)('an error of another kind teaches nothing (walls: %s)', async walls => {
    await server.psql(
      "create or replace function spent() returns int language plpgsql as $$ begin raise sqlstate '53200'; end $$",
    );
    const relay = keep(relays, await relayOnceInstead(server.port, 'SELECT public.spent()'));
    const database = open(relay.port, walls === 'one' ? { walls } : {});
    const first = await collect(database, 'select id from kept');
    if (walls === 'one') expect(first.rows).toEqual([[1]]);
    else expect(first.outcome).toMatchObject({ kind: 'query_failed', code: '53200' });
    expect((await collect(database, 'select id from kept')).rows).toEqual([[1]]);
    expect(await database.status(call)).toMatchObject({ kind: 'done', value: { isReadWallMissing: false } });
  });

  test.each(['CREATE TEMPORARY TABLE', 'DISCARD ALL'])('one that falls silent at %s keeps nobody', async text => {
    const { port } = keep(relays, await relaySilentAt(server.port, text));
    const late = await collect(open(port, {}), 'select id from kept', { timeoutSeconds: 1 });
    // The server behind may end by its own limit what it has got of the texts.
    expect(['no_answer', 'timeout']).toContain(late.outcome.kind);
    const left = await collect(open(port, {}), 'select id from kept', { signal: AbortSignal.timeout(500) });
    expect(left.outcome.kind).toBe('cancelled');
  });
});

needs(mariadbUnavailable()).describe('MariaDB', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(
      "create database own; create table own.kept (id int) engine = innodb; insert into own.kept values (1); create user low@'%' identified by 'pw'; grant select on own.* to low@'%'",
    );
  }, 60_000);
  afterAll(() => server?.stop());
  const open = (port: number, changes: Changes, password = server.password): Database =>
    keep(
      opened,
      openMysql(mysql.endpointOf(server, { port, database: 'own', ...changes }), mysql.portsOf({ password })),
    );
  const rows = async () => (await server.client('select count(*) from own.kept')).trim().split('\n').at(-1) ?? '';

  describe.each(['refused', 'taken for nothing'] as const)('READ ONLY is %s', readOnly => {
    holds(async changes => open(keep(relays, await relayAsTidb(server.port, readOnly)).port, changes), rows);
  });

  test.each<[string, Changes]>([
    ['the superuser', {}],
    ['a user who may only read', { user: 'low' }],
    ['a connection without a database', { database: null }],
  ])('an honest server lets %s read', async (_what, changes) => {
    const database = open(server.port, changes, changes.user === undefined ? undefined : 'pw');
    for (let turn = 0; turn < 2; turn += 1)
      expect((await collect(database, 'select id from own.kept')).rows).toEqual([[1]]);
    expect((await collect(database, 'insert into own.kept values (2)')).outcome.kind).not.toBe('done');
    await isHonest(database);
    expect(await rows()).toBe('1');
  });

  test.each([
    [1047, 'own'],
    [1969, 'own'],
    [1038, 'own'],
    [1038, 'one'],
  ] as const)('error %i teaches nothing (walls: %s)', async (number, walls) => {
    const relay = keep(relays, await relayOnceRefusing(server.port, number));
    const database = open(relay.port, walls === 'one' ? { walls } : {});
    const first = await collect(database, 'select id from own.kept');
    if (walls === 'one') expect(first.rows).toEqual([[1]]);
    else expect(first.outcome).toMatchObject({ kind: 'query_failed', code: `${number}` });
    expect((await collect(database, 'select id from own.kept')).rows).toEqual([[1]]);
    expect(await database.status(call)).toMatchObject({ kind: 'done', value: { isReadWallMissing: false } });
  });
});
