import { expect, test } from '@jest/globals';
import type { Engine } from '../../shared/engine.ts';
import { dialects } from '../engines/dialects.ts';
import { processorMilliseconds } from '../processor-time.ts';

const sessionWarnings = (engine: Engine, sql: string): readonly string[] =>
  dialects[engine].sessionWarnings?.(sql) ?? [];

test.each([
  ['mysql', 'select last_insert_id()', /insert_id/],
  ['mysql', 'SELECT LAST_INSERT_ID ( ) AS id', /insert_id/],
  ['mysql', 'select @@identity', /insert_id/],
  ['mysql', 'select @@session.last_insert_id', /insert_id/],
  ['mysql', "insert into child (parent, what) values (last_insert_id(), 'it''s')", /insert_id/],
  ['mysql', 'select /* of the last */ found_rows()', /COUNT/],
  ['mysql', 'select row_count()', /rows_affected/],
  ['mysql', 'show warnings', /under warnings/],
  ['mysql', 'show count(*) warnings', /under warnings/],
  ['mysql', '-- what was that\nSHOW ERRORS', /under warnings/],
  ['mysql', 'select @@warning_count', /under warnings/],
  ['mysql', 'select * from item where id = @wanted', /^@wanted is NULL/],
  ['mysql', 'select /*! last_insert_id() */', /insert_id/],
  ['mysql', 'select `last_insert_id`()', /insert_id/],
  ['mysql', 'select `LAST_INSERT_ID` ( )', /insert_id/],
  ['mysql', 'select "last_insert_id"()', /insert_id/],
  ['mysql', 'select last_insert_id(/* none */)', /insert_id/],
  ['mysql', 'select @@`identity`', /insert_id/],
  ['mysql', 'select @@session.`last_insert_id`', /insert_id/],
  ['mysql', 'select @@SESSION . identity', /insert_id/],
  ['mysql', 'select `found_rows`()', /COUNT/],
  ['mysql', 'select `row_count`()', /rows_affected/],
  ['mysql', 'select * from item where id = @`wanted`', /^@wanted is NULL/],
  ['mysql', "select @'wanted'", /^@wanted is NULL/],
  ['mysql', 'select @"wanted"', /^@wanted is NULL/],
  ['mysql', 'select @r := @r + 1', /^@r is NULL/],
  ['mysql', 'select @`r` := @`r` + 1 from item', /^@r is NULL/],
  ['sqlite', 'select last_insert_rowid()', /RETURNING/],
  ['sqlite', 'select "last_insert_rowid"()', /RETURNING/],
  ['sqlite', 'select [changes]()', /rows_affected/],
  ['sqlite', 'select `total_changes` ()', /rows_affected/],
  ['sqlite', 'select name from "sqlite_temp_master"', /temporary/],
  ['sqlite', 'select changes()', /rows_affected/],
  ['sqlite', 'select total_changes()', /rows_affected/],
  ['sqlite', 'select name from sqlite_temp_master', /temporary/],
] as const)('%s: %s', (engine, sql, told) => {
  expect(sessionWarnings(engine, sql)).toEqual([expect.stringMatching(told)]);
  expect(sessionWarnings(engine, sql)[0]).toContain('session of its own');
});

test.each([
  ['mysql', 'select \'last_insert_id()\', "@wanted" from `row_count()` -- found_rows()'],
  ['mysql', "select count(*) from `row_count` where name in ('changes', 'found_rows') and (`last_insert_id` > 1)"],
  ['mysql', 'select @r := @r + 1 from (select @r := 0) as zero'],
  ['mysql', 'select @r := coalesce(@r, 0) + 1'],
  ['mysql', 'create user `a`@`b`'],
  ['mysql', 'update counters set id = last_insert_id(id + 1)'],
  ['mysql', 'select @@version, @@sql_mode'],
  ['mysql', 'select @r := 1, @r'],
  ['mysql', "select * from mysql_users where host = 'a@b' and mail = 'x@wanted'"],
  ['mysql', "create definer = 'root'@localhost view v as select 1"],
  ['mysql', 'show tables'],
  ['mysql', 'select now()'],
  ['sqlite', 'insert into t values (1) returning last_insert_rowid()'],
  ['sqlite', "select 'changes()'"],
  ['sqlite', "select 1 where 'sqlite_temp_master' = 'x' and [changes] > 1"],
  ['postgres', "select currval('s')"],
  ['postgres', 'select found_rows()'],
] as const)('%s: nothing of %s', (engine, sql) => {
  expect(sessionWarnings(engine, sql)).toEqual([]);
});

test('the longest possible statement takes no time', () => {
  const spent = processorMilliseconds(() => {
    for (const part of [
      "'",
      '"',
      '`',
      "\\'",
      "''\\",
      '/*',
      '--\n',
      '@a',
      '@a :=',
      'show ',
      'last_insert_id(',
      '`a`',
      '`a` ',
      '@`a`',
      '[',
      '[a]',
      '@a ',
      '@`a` ',
      'changes (',
      ' ',
    ])
      for (const engine of ['mysql', 'sqlite'] as const)
        sessionWarnings(engine, `${part.repeat(100_000 / part.length)} @ show () `);
  });
  expect(spent).toBeLessThan(2_000);
});
