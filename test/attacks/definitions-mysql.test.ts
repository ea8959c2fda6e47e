/**
 * Threat: a client with a read-write token defines something and so changes what rows, names and
 * defaults mean, which writes of others succeed, or what runs later. Only statements known to
 * change none of these run without asking.
 */

import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { until } from '../waiting/until.ts';
import { asking, type Definition, keeping, setUp } from './definitions-mysql-statements.ts';
import { writingClient } from './write-as-a-client.ts';

const missing = mariadbUnavailable();
let server: MariadbServer;
let database: Database;
beforeAll(async () => {
  if (missing !== null) return;
  server = await lendMariadb();
  await server.client(
    isMysql() ? setUp : `${setUp}; create sequence counted; create table checked (k varchar(20) check (k <> 'x'))`,
  );
  database = openMysql(endpointOf(server, { database: 'defs', user: 'root' }), portsOf(server));
}, 120_000);
afterAll(async () => {
  await server?.client('drop database if exists defs; drop database if exists defs_made');
  await database?.close();
  await server?.stop();
}, 60_000);

const write = (sql: string): Promise<string> =>
  writingClient(() => database, { database: 'defs', databases: 'all' })(sql);
const isHere = ({ on }: Definition): boolean =>
  on === undefined || (on === 'mysql') === (missing === null && isMysql());

/** Each definition and row of it. */
async function state(): Promise<string> {
  const definitions = await server.ask(
    `select table_name, table_type, engine, table_collation, create_options, auto_increment from information_schema.tables where table_schema = 'defs'
    union all select table_name, column_name, column_type, column_default, extra, ordinal_position from information_schema.columns where table_schema = 'defs'
    union all select table_name, index_name, column_name, seq_in_index, non_unique, '' from information_schema.statistics where table_schema = 'defs'
    union all select table_name, constraint_name, constraint_type, '', '', '' from information_schema.table_constraints where table_schema = 'defs'
    union all select trigger_name, '', '', '', '', '' from information_schema.triggers where trigger_schema = 'defs'
    union all select event_name, '', '', '', '', '' from information_schema.events where event_schema = 'defs'
    union all select routine_name, '', '', '', '', '' from information_schema.routines where routine_schema = 'defs'
    union all select schema_name, default_character_set_name, '', '', '', '' from information_schema.schemata order by 1, 2, 3, 4, 5, 6`,
    'defs',
  );
  return definitions + (await server.ask('checksum table in_use, parent, doubled, parted, hashed', 'defs'));
}

describe('asks, and leaves everything unchanged', () => {
  for (const definition of asking.filter(isHere))
    needs(missing).test(definition.sql, async () => {
      const before = await state();
      expect(await write(definition.sql)).toMatch(/^denied: /);
      expect(await state()).toBe(before);
    });
});

describe('is known to keep what exists, and runs without asking', () => {
  for (const definition of keeping.filter(isHere))
    needs(missing).test(definition.sql, async () => {
      const rows = 'select id, name, state, total, p from in_use order by id';
      const before = await server.ask(rows, 'defs');
      expect(await write(definition.sql)).toBe('done');
      expect(await server.ask(rows, 'defs')).toBe(before);
    });
});

needs(missing).test('a table that another made, or changed since, is in use', async () => {
  const says = /^denied: .*other people's writes to defs\.\w+ fail/;
  await server.client('create table defs.theirs (id int primary key, p int)');
  expect(await write('create unique index boom on theirs (p)')).toMatch(says);
  expect(await write('create table if not exists theirs (id int)')).toBe('done');
  expect(await write('create unique index boom on theirs (p)')).toMatch(says);
  expect(await write('create table ours (id int primary key, p int)')).toBe('done');
  expect(await write('create unique index one on ours (p)')).toBe('done');
  // CREATE_TIME has seconds.
  const isLater =
    "select now() > create_time from information_schema.tables where table_schema = 'defs' and table_name = 'ours'";
  await until(async () => (await server.ask(isLater)).trim() === '1', 'a second has begun');
  for (const theirs of ['alter table ours add column q int', 'drop table ours; create table ours (id int, p int)']) {
    await server.client(`use defs; ${theirs}`);
    expect(await write('create unique index two on ours (id)')).toMatch(says);
  }
});

needs(missing).test('rows that are added have a limit, save in a table that this client made', async () => {
  const many = (table: string, rows: number) =>
    `insert into ${table} (p) select a.n * 1000 + b.n * 100 + c.n * 10 + d.n from digits a, digits b, digits c, digits d, digits e limit ${rows}`;
  await server.client(`use defs; create table digits (n int); insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
    create table filled (id int primary key auto_increment, p int)`);
  const client = writingClient(() => database, { database: 'defs', databases: 'all' });
  expect(await client(many('filled', 40_000))).toBe('done');
  expect(await client(many('filled', 20_000))).toMatch(
    /^denied: .*added too many rows to "defs.filled" \(20,000 rows\)/,
  );
  expect(await client('create table own (id int primary key auto_increment, p int)')).toBe('done');
  expect(await client(many('own', 60_000))).toBe('done');
});
