/**
 * MariaDB for the suite that loops over the engines: a private server, and the statements in its
 * dialect.
 */

import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import type { Engine } from '../../../shared/engine.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { endpointOf, portsOf } from './endpoint.ts';

const database = 'looped';

/** A literal number is an `int` on MariaDB, a `bigint` on MySQL. */
const number = (value: number): number | string => (isMysql() ? `${value}` : value);
const numberType = isMysql() ? 'bigint' : 'int';

/** What a DBA may set for all, each another value than a new server's. */
const turned: Readonly<Record<string, string>> = {
  sql_select_limit: '2',
  max_join_size: '5',
  autocommit: '0',
  completion_type: '1',
  sql_auto_is_null: '1',
  sql_quote_show_create: '0',
  max_error_count: '0',
  foreign_key_checks: '0',
  unique_checks: '0',
  check_constraint_checks: '0',
};

/** @param isTurned true for a server whose global settings are turned. */
export function engineUnderTest(
  isTurned = false,
): EngineUnderTest | { readonly engine: Engine; readonly unavailable: string } {
  const unavailable = mariadbUnavailable();
  if (unavailable !== null) return { engine: 'mysql', unavailable };
  let started: MariadbServer | null = null;
  const before = new Map<string, string>();
  const setGlobals = async (values: Iterable<readonly [string, string]>): Promise<void> => {
    for (const [name, value] of values) await server().ask(`SET GLOBAL ${name} = ${value}`);
  };
  const server = (): MariadbServer => {
    if (started === null) throw new Error('the server is not started');
    return started;
  };
  return {
    engine: 'mysql',
    start: async () => {
      started = await lendMariadb();
      await started.client(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
      if (!isTurned) return;
      for (const name of Object.keys(turned))
        before.set(name, (await server().ask(`SELECT @@GLOBAL.${name} + 0`)).trim());
      await setGlobals(Object.entries(turned));
    },
    stop: async () => {
      await setGlobals(before);
      await started?.stop();
    },
    open: () => openMysql(endpointOf(server(), { database }), portsOf(server())),
    execute: async sql => {
      // The turned server would take back what nobody commits.
      await server().ask(`SET autocommit = 1; ${sql}`, database);
    },
    runningStatements: async () => {
      const printed = await server().ask(
        "SELECT LEFT(info, 80) FROM information_schema.processlist WHERE command <> 'Sleep' AND id <> CONNECTION_ID() AND info IS NOT NULL",
      );
      return printed.split('\n').filter(line => line !== '');
    },
    cases: {
      values: {
        'the largest bigint': {
          sql: 'select cast(9223372036854775807 as signed) a, cast(18446744073709551615 as unsigned) b',
          columns: [
            { name: 'a', type: 'bigint' },
            { name: 'b', type: 'bigint unsigned' },
          ],
          rows: [['9223372036854775807', '18446744073709551615']],
        },
        'a decimal beyond double': {
          sql: "select cast('12345678901234567890.123456789012345678' as decimal(38,18)) d",
          columns: [{ name: 'd', type: 'decimal(38,18)' }],
          rows: [['12345678901234567890.123456789012345678']],
        },
        integers: { sql: 'select 1, -2', rows: [[number(1), number(-2)]] },
        floats: { sql: 'select 1e0 + 0.5e0 a, 1e308 b', rows: [[1.5, 1e308]] },
        'truth is a number': { sql: 'select true, false', rows: [[number(1), number(0)]] },
        null: { sql: 'select null n', columns: [{ name: 'n', type: 'null' }], rows: [[null]] },
        text: { sql: "select 'Zoë 日本 🎉' t", rows: [['Zoë 日本 🎉']] },
        'the empty text': { sql: "select ''", rows: [['']] },
        bytes: {
          sql: "select x'00ff41' b, x'' e",
          columns: [
            { name: 'b', type: 'varbinary(3)' },
            { name: 'e', type: 'varbinary(0)' },
          ],
          rows: [['\\x00ff41', '\\x']],
        },
        'a bit': { sql: "select cast(b'101' as binary)", rows: [['\\x05']] },
        'a date before the epoch': {
          sql: "select date '1000-01-01' d",
          columns: [{ name: 'd', type: 'date' }],
          rows: [['1000-01-01']],
        },
        'a time with microseconds': {
          sql: "select timestamp '2026-03-29 02:30:00.123456' t",
          columns: [{ name: 't', type: 'datetime(6)' }],
          rows: [['2026-03-29 02:30:00.123456']],
        },
        'a time beyond a day': { sql: "select time '-838:59:59'", rows: [['-838:59:59']] },
        'an hour': { sql: "select time '01:02:03.5'", rows: [['01:02:03.5']] },
        json: { sql: `select json_object('a', 12345678901234567890)`, rows: [['{"a": 12345678901234567890}']] },
        geometry: {
          sql: 'select st_geomfromtext("POINT(1 2)") g',
          rows: [['\\x000000000101000000000000000000f03f0000000000000040']],
        },
        ...(isMysql()
          ? {}
          : {
              uuid: {
                sql: "select cast('123e4567-e89b-12d3-a456-426655440000' as uuid) u",
                rows: [['123e4567-e89b-12d3-a456-426655440000']],
              },
              inet: { sql: "select cast('2001:db8::1' as inet6) i", rows: [['2001:db8::1']] },
            }),
      },
      duplicateColumnNames: { sql: 'select 1 as a, 2 as a', rows: [[number(1), number(2)]] },
      emptyColumnName: { sql: 'select 7 as ``', columns: [{ name: '', type: numberType }], rows: [[number(7)]] },
      emptyResult: {
        sql: 'select 1 as a, cast(2 as decimal(20,5)) as b from dual where 1 = 0',
        columns: [
          { name: 'a', type: numberType },
          { name: 'b', type: 'decimal(20,5)' },
        ],
        rows: [],
      },
      boundParameters: {
        sql: "select ? + 1, concat(?, '!'), ? is null, ?, ?",
        parameters: [41, `it's "quoted" \\ back; -- é🎉`, null, true, '9223372036854775807'],
        rows: [['42', `it's "quoted" \\ back; -- é🎉!`, number(1), '1', '9223372036854775807']],
      },
      slowRead: 'select sleep(60)',
      manyRows: dialect('select seq, repeat("x", 20) from seq_1_to_5000000'),
      hugeCell: "select repeat('x', 200000000)",
      syntaxError: 'selec 1',
      writes: [
        "insert into looped_parent (id, name) values (99, 'no')",
        "update looped_parent set name = 'no'",
        'delete from looped_child where id > 0',
        "replace into looped_parent (id, name) values (99, 'no')",
        'create table looped_no (a int)',
        'create table looped_no as select 1 a',
        'create view looped_no as select 1',
        'create index looped_no on looped_parent (name)',
        'alter table looped_parent add column no int',
        'truncate table looped_child',
        'drop table looped_child',
        'rename table looped_child to looped_no',
        'create sequence looped_no',
        'create database looped_no',
        'optimize table looped_parent',
        'analyze table looped_parent',
        'flush tables',
        'lock tables looped_parent write',
        'commit',
        'begin not atomic commit; set session transaction read write; delete from looped_child; end',
        'create user looped_no',
        'grant select on *.* to nobody',
        'create function looped_no() returns int return 1',
        'create procedure looped_no() select 1',
        'create trigger looped_no before insert on looped_parent for each row set @a = 1',
        'create or replace table looped_child (a int)',
        'insert into looped_parent (id, name) select id + 100, name from looped_parent',
        'explain update looped_parent set name = 1',
      ],
      alone: 'create database if not exists looped_alone',
      explain: 'explain select * from looped_parent where id = 1',
    },
  };
}
