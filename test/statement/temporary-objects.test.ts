import { expect, test } from '@jest/globals';
import { temporaryWarning } from '../../daemon/statement/warnings.ts';
import { processorMilliseconds } from '../processor-time.ts';

test.each([
  'create temp table x as select 1',
  'CREATE OR REPLACE TEMPORARY TABLE x (a int)',
  ' create global temporary\ntable x (a int)',
  'create temp view v as select 1',
  'create temp recursive view v (n) as select 1',
  'create or replace temporary sequence s',
  '-- scratch\ncreate temp table x as select 1',
  '# scratch\n\n-- and more\nCREATE TEMPORARY TABLE x (a INT)',
  '/* a * b **/ /**/create temp sequence s',
  'select * into temp x from t',
  '/* scratch */ select a, b into local temporary table x from t where a > 1',
  'with q as (select 1 as a) select a\ninto temp table x from q',
])('%j makes something that ends with the call', sql => {
  expect(temporaryWarning(sql)).toMatch(/^What is temporary is gone when the call ends/);
});

test.each([
  'create table temp as select 1',
  'create table temp (a int) -- temporary table',
  '-- create temp table x\ncreate table x (a int)',
  '/* create temp table x */ insert into t values (1)',
  '/* open, create temp table x',
  'select * into x from temp',
  'select * into temp from t',
  'select a into temperature from t',
  "insert into t values ('select * into temp x from t')",
  'insert into temp table t',
  'with q as (insert into temp select 1 returning a) select a from q',
  'drop table temp',
])('%j makes nothing temporary', sql => {
  expect(temporaryWarning(sql)).toBeNull();
});

test('a comment as long as a statement may be takes no time', () => {
  const spent = processorMilliseconds(() => {
    for (const part of ['/* ', '/*** */', '-- \n', '#\n', ' ', 'select into ', 'select into temp '])
      temporaryWarning(part.repeat(100_000 / part.length));
  });
  expect(spent).toBeLessThan(2_000);
});
