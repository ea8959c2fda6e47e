/**
 * No server makes a sentence of ours untrue: what clients are told by servers that are almost
 * PostgreSQL or MySQL, and what stays of what they did (test/servers/stand-ins.ts). `WRITE=1` writes
 * docs/servers.md's rows of those that held.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Endpoint } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { call } from '../engines/collecting-sink.ts';
import * as mysql from '../engines/mysql/endpoint.ts';
import * as postgres from '../engines/postgres/suite.ts';
import { previewing } from '../engines/preview-for-tests.ts';
import { needs } from '../needs.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { type Relay, relayMysql, relayPostgres } from '../servers/lying-relays.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { mysqlStandIns, postgresStandIns, type StandIn, setUpPostgres } from '../servers/stand-ins.ts';
import { keyOf, rowsOnPage, rowsWanted, writeRows } from '../servers/stand-ins-page.ts';
import { askAndRun } from './ask-and-run.ts';
import { readAsAClient } from './read-as-a-client.ts';
import { writingClient } from './write-as-a-client.ts';

const held = new Set<string>();
if (process.env.WRITE === '1') afterAll(() => writeRows(held));
else test('the page says of each what is held here', () => expect(rowsOnPage()).toEqual(rowsWanted()));

let relay: Relay | null = null;
let database: Database | null = null;
afterEach(async () => {
  await database?.close();
  await relay?.stop();
});

interface Statements {
  readonly one: string;
  readonly several: string;
  readonly unsaid: string;
}

/** @param state of the table, and `reset` brings it back. */
async function tell<Lie>(
  { read, nextRead = read, write, several = write, unsaid, version, warning, isAccepted }: StandIn<Lie>,
  opened: Database,
  { one, several: more, unsaid: silent }: Statements,
  state: () => Promise<string>,
): Promise<void> {
  database = opened;
  const told = async (said: Promise<string>, expected: RegExp | 'done' | undefined): Promise<void> => {
    if (expected === undefined || expected === 'done') expect(await said).toBe('done');
    else expect(await said).toMatch(expected);
  };
  await told(readAsAClient(opened, 'select id from kept'), read);
  for (let turn = 0; turn < 2; turn += 1) await told(readAsAClient(opened, 'select id from kept'), nextRead);
  const writing = writingClient(() => opened);
  const cases = [
    [one, write, 1],
    [more, several, 4],
  ] as const;
  let changed = 0;
  for (const [sql, expected, rows] of cases) {
    await told(writing(sql), expected);
    if (expected === undefined) changed += rows;
    expect([sql, await state()]).toEqual([sql, `${changed}`]);
  }
  if (unsaid !== undefined) await told(writing(silent), unsaid);
  if (several?.source.includes('counted, because')) {
    const preview = await previewing(() => opened)(more);
    if (typeof preview === 'string') expect(preview).toMatch(/^query_failed: .*not supported/);
    else
      expect([preview.rows_affected, preview.refused_because]).toEqual([
        4,
        expect.stringContaining('counted, because'),
      ]);
  }
  expect(await state()).toBe(`${changed}`);
  // Where not even a read begins, nor does a look at the server's state.
  const tellsWall = isAccepted === true && read === undefined;
  if (version === undefined && !tellsWall && warning === undefined) return;
  const status = await opened.status(call);
  expect(status).toMatchObject({
    kind: 'done',
    value: {
      ...(tellsWall && { isReadWallMissing: true }),
      ...(version !== undefined && { serverVersion: version }),
    },
  });
  if (warning !== undefined && status.kind === 'done') expect(status.value.warnings.join('\n')).toMatch(warning);
}

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).describe('almost PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql(setUpPostgres);
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach(() => server.psql('update kept set n = 0'));

  test.each(postgresStandIns)('$name: $does', async standIn => {
    relay = await relayPostgres(server.port, standIn.lie());
    const changes: Partial<Endpoint> = { port: relay.port, ...(standIn.isAccepted && { walls: 'one' }) };
    const opened = openPostgres(postgres.endpointOf(server, changes), postgres.portsOf(server.password));
    const statements = {
      one: 'update kept set n = n + 1 where id = 1',
      several: 'update kept set n = n + 1 where id > 5',
      unsaid: 'with gone as (delete from kept where id > 5 returning id) select count(*) from gone',
    };
    await tell(standIn, opened, statements, () => server.psql('select sum(n) from kept'));
    held.add(keyOf('PostgreSQL', standIn.name));
  });

  test.each([
    ['has no xmin', 'xmin'],
    ['has no publications', 'pg_get_publication'],
  ])('a server that %s: each definition asks, and runs once it is allowed', async (_, lacking) => {
    relay = await relayPostgres(server.port, { rewrite: sql => sql.replaceAll(lacking, `${lacking.slice(0, -1)}z`) });
    const changes: Partial<Endpoint> = { port: relay.port };
    const opened = openPostgres(postgres.endpointOf(server, changes), postgres.portsOf(server.password));
    database = opened;
    const there = () => server.psql("select count(*) from pg_class where relname in ('fresh', 'on_n')");
    for (const sql of ['create table fresh (id int)', 'create index on_n on kept (n)']) {
      const before = await there();
      expect(await writingClient(() => opened)(sql)).toMatch(/^denied: .*(could not be told|can be counted)/);
      expect(await there()).toBe(before);
      const { questions, end } = await askAndRun(opened, sql);
      expect([questions.length <= 3, end, await there()]).toEqual([true, 'done', `${Number(before) + 1}`]);
    }
    await server.psql('drop table fresh; drop index on_n');
  });
});

needs(mariadbUnavailable()).describe('almost MySQL', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(
      `create database own; use own; create table kept (id int primary key, n int) engine = innodb;
      insert into kept select seq, 0 from seq_1_to_9`,
    );
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach(() => server.ask('update kept set n = 0', 'own'));

  test.each(mysqlStandIns)('$name: $does', async standIn => {
    relay = await relayMysql(server.port, standIn.lie());
    const changes: Partial<Endpoint> = {
      port: relay.port,
      database: 'own',
      ...(standIn.isAccepted && { walls: 'one' }),
    };
    const opened = openMysql(mysql.endpointOf(server, changes), mysql.portsOf(server));
    const statements = {
      one: 'update kept set n = n + 1 where id = 1',
      several: 'update kept set n = n + 1 where id > 5',
      unsaid: 'delete from kept where id > 5 returning id',
    };
    const state = async () => (await server.ask('select sum(n) from kept', 'own')).trim();
    await tell(standIn, opened, statements, state);
    held.add(keyOf('MariaDB', standIn.name));
  });
});
