/**
 * Threat: a client with a read-write token defines something and so changes what rows, names and
 * defaults mean, which writes of others succeed, or what runs later. Only statements known to
 * change none of these run without asking.
 */

import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/open.ts';
import { endpointOf, portsOf } from '../engines/mysql/endpoint.ts';
import { needs } from '../needs.ts';
import { lendMariadb } from '../servers/lent.ts';
import { isMysql, type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { asking, type Definition, keeping, setUp } from './definitions-mysql-statements.ts';
import { writingClient } from './write-as-a-client.ts';

const missing = mariadbUnavailable();
let server: MariadbServer;
let database: Database;
beforeAll(async () => {
  if (missing !== null) return;
  server = await lendMariadb();
  await server.client(isMysql() ? setUp : `${setUp}; create sequence counted`);
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

needs(missing).test('a table with a row, or one that existed an hour ago, is in use', async () => {
  await server.client('create table defs.filled (id int primary key, p int); insert into defs.filled values (1, 1)');
  expect(await write('create unique index boom on filled (p)')).toMatch(
    /^denied: .*other people's writes to defs\.filled fail/,
  );
  await server.client('delete from defs.filled');
  expect(await write('create unique index boom on filled (p)')).toBe('done');
});

needs(missing).test('an empty table that existed an hour ago is in use', async () => {
  await server.client(`create table defs.waiting (id int primary key, p int);
    create user later@'%' identified by 'later-only'; grant all on defs.* to later@'%'`);
  const clock = async (minutes: number) =>
    server.ask(`set global init_connect = 'set timestamp = unix_timestamp() + ${minutes * 60}'`);
  const writeAt = async (minutes: number, sql: string): Promise<string> => {
    await clock(minutes);
    const other = openMysql(endpointOf(server, { database: 'defs', user: 'later' }), {
      password: async () => 'later-only',
      now: () => performance.now(),
    });
    const end = await writingClient(() => other, { database: 'defs' })(sql);
    await other.close();
    return end;
  };
  expect(await writeAt(62, 'create unique index boom on waiting (p)')).toMatch(
    /^denied: .*writes to defs\.waiting fail/,
  );
  expect(await writeAt(50, 'create unique index boom on waiting (p)')).toBe('done');
  await server.client("set global init_connect = ''; drop user later@'%'");
});
