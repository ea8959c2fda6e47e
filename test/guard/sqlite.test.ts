import { expect, test } from '@jest/globals';
import { classifySqlite } from '../../daemon/guard/sqlite/classify-sqlite.ts';
import { namesIn } from '../../daemon/guard/sqlite/names.ts';
import { tokenize } from '../../daemon/guard/sqlite/tokenizer.ts';
import { processorMilliseconds } from '../processor-time.ts';

test('a NUL and an over-long statement are refused before anything reads them', () => {
  expect(classifySqlite('select 1\0; drop table t').class).toBe('forbidden');
  expect(classifySqlite(`select '${'x'.repeat(100_000)}'`).class).toBe('forbidden');
});

test('tables are named, common table expressions aren’t', () => {
  const { tables } = classifySqlite(
    'with recent(id) as (select id from main.orders where d > 1) select * from recent r join "Customers" c on c.id = r.id, [odd name]',
  );
  expect(tables.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`)).sort()).toEqual([
    'customers',
    'main.orders',
    'odd name',
  ]);
});

test.each([
  ['with users as (select 1) delete from users', 'users'],
  ['with users as (select 1) insert into users select * from users', 'users'],
  ['with users as (select 1) select * from users', ''],
  ['select (with users as (select 1) select 1 from users), (select 1 from users)', 'users'],
  ['with a as (with b as (select 1) select * from b) select * from a, b', 'b'],
  ['select * from t window, users', 't users'],
  ["delete from 'Users'", 'users'],
  ['update or ignore main.users set a = 1', 'main.users'],
  ['insert into t(a) values (1) on conflict (a) do update set b = 2', 't'],
  [
    'create trigger g after update of a on t begin update or replace u set a = 1; delete from v where a in w; end',
    't u v w',
  ],
  ['create table n(a references p(id) on delete cascade on update cascade)', 'n p'],
  ['create unique index if not exists i on t(a)', 't'],
  ['drop view if exists main.v', 'main.v'],
  ['select a is not distinct from b from t', 't'],
  ["select * from json_each('[1]'), t", 't'],
])('%s names %j', (sql, expected) => {
  const { tables } = classifySqlite(sql);
  expect(tables.map(({ schema, name }) => (schema === null ? name : `${schema}.${name}`)).join(' ')).toBe(expected);
});

test('a common table expression hides no table of another statement', () => {
  const commonTables = (sql: string) => [...namesIn(tokenize(sql)).commonTables];
  expect(commonTables('WITH x AS (SELECT 1) SELECT * FROM x')).toEqual(['x']);
  expect(commonTables('WITH x AS (SELECT 1) SELECT * FROM x; DELETE FROM x')).toEqual([]);
});

test('functions that SQLite does not have by itself are listed', () => {
  expect(classifySqlite('select my_function(a), lower(b), "Other" (c) from t').calls.map(call => call.name)).toEqual([
    'my_function',
    'other',
  ]);
});

test('a statement that SQLite refuses in a transaction needs its own session, and no other PRAGMA does', () => {
  for (const sql of ['vacuum', 'pragma wal_checkpoint', 'pragma main."Wal_Checkpoint"(truncate)'])
    expect(classifySqlite(sql)).toMatchObject({ class: 'write', needsOwnSession: true });
  for (const sql of ['pragma optimize', 'pragma incremental_vacuum', 'delete from wal_checkpoint where a = 1'])
    expect(classifySqlite(sql)).toMatchObject({ class: 'write', needsOwnSession: false });
});

test('statements that preview_write accepts are marked', () => {
  expect(classifySqlite('delete from t')).toMatchObject({ isDml: true, isUnboundedDml: true });
  expect(classifySqlite('update t set a = 1 where id = 2')).toMatchObject({ isDml: true, isUnboundedDml: false });
  expect(classifySqlite('explain delete from t')).toMatchObject({ isDml: false });
  expect(classifySqlite('drop table t')).toMatchObject({ isDml: false, isUnboundedDml: false });
});

test.each([
  ['parentheses in a condition', `delete from t where ${'('.repeat(48_000)}1${')'.repeat(48_000)}`],
  ['NOTs', `delete from t where ${'not '.repeat(24_000)}1`],
  ['alternatives', `delete from t where ${'1 or '.repeat(19_000)}1`],
  ['EXISTS', `delete from t where ${'exists (select 1 where '.repeat(3_500)}1${')'.repeat(3_500)}`],
  ['parentheses in a query', `select ${'('.repeat(48_000)}1${')'.repeat(48_000)}`],
  ['subqueries', `select * from ${'(select * from '.repeat(6_000)}t${')'.repeat(6_000)}`],
])('a great many %s take no time, and don’t lower the class', (_, sql) => {
  const cost = processorMilliseconds(() => {
    expect(['destructive', 'forbidden']).toContain(classifySqlite(sql).class);
  });
  expect(cost).toBeLessThan(2_000);
});

test('a long list of values in a condition is understood', () => {
  const ids = Array.from({ length: 15_000 }, (_, id) => id).join(',');
  expect(classifySqlite(`delete from t where id in (${ids})`).class).toBe('write');
});
