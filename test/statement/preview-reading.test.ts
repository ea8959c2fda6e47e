/** What a preview's reads may add to a client's text: nothing that can be read in another way. */

import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lazyClassifiers } from '../../daemon/guard/classifiers.ts';
import { withReturning } from '../../daemon/guard/data-change.ts';
import * as mysql from '../../daemon/guard/mysql/data-change.ts';
import * as postgres from '../../daemon/guard/postgres/data-change.ts';
import type { Parse } from '../../daemon/guard/postgres/parser.ts';
import * as sqlite from '../../daemon/guard/sqlite/data-change.ts';
import type { Classification } from '../../daemon/guard/types.ts';

let parse: Parse;
let classifyMysql: (sql: string) => Classification;
let classifySqlite: (sql: string) => Classification;
const mariadb = mysql.readingOf('10.11.6-MariaDB', 'STRICT_TRANS_TABLES');

beforeAll(async () => {
  const classifiers = lazyClassifiers();
  parse = await classifiers.postgresParse();
  classifyMysql = await classifiers.mysql();
  classifySqlite = await classifiers.sqlite();
});

/** Ends of a text that could swallow, close or continue what follows. */
const piece = fc.constantFrom(
  ...[
    '--',
    '-- ',
    '/*',
    '*/',
    ';',
    "'",
    '"',
    '`',
    '[',
    ']',
    '$$',
    '$a$',
    '#',
    '\n',
    '\r',
    ' ',
    '\\',
    '\t',
    '\u00a0',
    '\u2028',
  ],
  ...[
    'returning',
    'returning id',
    ', x',
    'or 1',
    '(',
    ')',
    'union',
    "E'",
    "U&'",
    '/*!50000',
    '/*M!',
    '\ufeff',
    '.',
    '1',
    'x',
  ],
);
const tail = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''));

describe('nothing else is added to a statement', () => {
  test('PostgreSQL', () => {
    fc.assert(
      fc.property(tail, end => {
        const sql = `delete from t where id = 1${end}`;
        const reading = postgres.readDataChange(parse, sql);
        if (reading === null || reading.open === null) return;
        const text = withReturning(reading.open, reading.ownReturning, 't.id');
        const again = postgres.readDataChange(parse, text);
        expect(again).toEqual({ ...reading, ownReturning: true, open: text });
        expect(text.endsWith(reading.ownReturning ? '\n, t.id' : '\nRETURNING t.id')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('MariaDB', () => {
    fc.assert(
      fc.property(tail, end => {
        const sql = `delete from t where id = 1${end}`;
        const reading = mysql.readDataChange(sql, mariadb);
        if (reading === null || reading.open === null || !classifyMysql(sql).isDml) return;
        const text = withReturning(reading.open, reading.ownReturning, '`id`');
        expect(mysql.readDataChange(text, mariadb)).toMatchObject({ ownReturning: true, open: text });
        const [before, after] = [mysql.plainTokens(sql, mariadb) ?? [], mysql.plainTokens(text, mariadb) ?? []];
        expect(after.slice(0, before.length).map(token => token.text)).toEqual(before.map(token => token.text));
        expect(after.length - before.length).toBe(2);
      }),
      { numRuns: 1_000 },
    );
  });

  test('SQLite', () => {
    fc.assert(
      fc.property(tail, end => {
        const sql = `delete from t where id = 1${end}`;
        const reading = sqlite.readSqlite(sql);
        if (reading === null || reading.open === null || !classifySqlite(sql).isDml) return;
        const text = withReturning(reading.open, reading.ownReturning, 'rowid');
        expect(sqlite.readSqlite(text)).toEqual({ ...reading, ownReturning: true, open: text });
        expect(classifySqlite(text).isDml).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ['update t set a = 1, b = (select max(id) from t where x = 2) where id = 3', ['a', 'b']],
  ['update t set (a, "Id") = (1, 2)', ['a', 'id']],
  ['update or ignore main.[t] set [rowid] = 1', ['rowid']],
  ['with x as (select 1) update t as u indexed by i set a = b from x where 1', ['a']],
  ['insert into t values (1) on conflict (id) do update set id = 9, a = 1 where 1', ['id', 'a']],
  ['insert into t values (1) on conflict do nothing', []],
  ['update t set a == 1', ['a']],
  ['replace into t values (1) on conflict (id) do update set id = 9', ['id']],
  ['insert into t values (1) on conflict (a) where b = 1 do nothing', []],
  ["update t set 'a' = 1", ['a']],
  ['update t set a = 1 returning b = 2', ['a']],
  ['update t set a = b is not distinct from c, id = 2 where x = 3', ['a', 'id']],
  ['update t set a = (select max(id) from t where id = 2), b = (id = 1) where id = 3', ['a', 'b']],
  ['insert into t values (1) on conflict (a) do update set a = 1 on conflict (b) do update set id = 2', ['a', 'id']],
])('SQLite: %s sets %j', (sql, names) => {
  expect(sqlite.readSqlite(sql)?.sets ?? null).toEqual(names);
});

test.each<[string, boolean]>([
  ['insert into t values (1)', false],
  ['insert or ignore into t values (1)', false],
  ['insert into t values (1) on conflict do nothing', false],
  ['delete from t', false],
  ['update t set a = 1', false],
  ['replace into t values (1)', true],
  ['insert or replace into t values (1)', true],
  ['update or replace t set a = 1', true],
  ['insert into t values (1) on conflict do update set a = 1', true],
  ['insert into t values (1) on conflict (a) do nothing on conflict do update set a = 1', true],
])('SQLite: that %s may remove rows for another is %s', (sql, mayReplace) => {
  expect(sqlite.readSqlite(sql)?.mayReplace).toBe(mayReplace);
});

test.each([
  'delete from temp.t',
  'delete from other.t',
  'explain delete from t',
  'explain query plan delete from t',
  'select * from t',
  'create table t (a)',
  'create index i on t (a)',
  'drop table t',
  'alter table t add column b',
])('SQLite: %s is not read', sql => {
  expect(sqlite.readSqlite(sql)).toBeNull();
});

test.each<[string, boolean]>([
  ['delete from t returning a', true],
  ['delete from t where a in (select returning from u)', false],
])('SQLite: that %s returns rows of its own is %s', (sql, own) => {
  expect(sqlite.readSqlite(sql)?.ownReturning).toBe(own);
});

test.each([
  ['update t set a = 1, t.`Id` = (select 2, 3) where id = 3 order by id', ['a', 'id']],
  ['update low_priority ignore s.t as u set u.a := 1 limit 1', ['a']],
  ['insert into t (id) values (1)', []],
  ['update t set = 1', []],
  ['update t set `a` = (select id from u where id = 2), t.B = 1 where id = 3', ['a', 'b']],
])('MariaDB: %s sets %j', (sql, names) => {
  expect(mysql.readDataChange(sql, mariadb)?.sets ?? null).toEqual(names);
});

test.each<[string, string | undefined]>([
  ['update a set x = 1', 'a'],
  ['update s.a as q set x = (select 1 from b)', 'a'],
  ['delete low_priority quick ignore from a where x in (select x from b, c)', 'a'],
  ['update a partition (p0, p1) use index (i, j) set x = 1', 'a'],
  ['update quick set x = 1', 'quick'],
  ['insert quick values (1)', 'quick'],
  ['insert ignore into a (x) select x from b join c using (x)', 'a'],
  ['insert a set x = 1', 'a'],
  ['replace into `a` values (1)', 'a'],
  ['update a, b set a.x = b.x', undefined],
  ['update a natural join b set x = 1', undefined],
  ['update (a, b) set a.x = b.x', undefined],
  ['delete a from a join b using (x)', undefined],
  ['delete from a, b using a join b join c', undefined],
  ['delete a.*, b.* from a, b where a.x = b.x', undefined],
])('MariaDB: the one table of %s is %s', (sql, name) => {
  expect(mysql.readDataChange(sql, mariadb)?.target?.name).toBe(name);
});

test.each<[string, boolean]>([
  ['insert into t (a) values (next value for s)', true],
  ['insert into t (a) values (NextVal (db.s))', true],
  ['insert into t (a) values (db.`nextval`(s))', true],
  ['insert into t (a) values (s.nextval)', true],
  ['insert into t (a) values (`s`.`NEXTVAL`)', true],
  ['update t set a = setval(s, 5) where id = 1', false],
  ['update t set a = `SETVAL`(s, 5) where id = 1', false],
  ['update t set next = 2, nextval = next + 1 where setval = 3', false],
  ['update t set t.next = 2, a = t.setval where next in (1, 2)', false],
  ["update t set a = 'next value for s', b = 'nextval' where id = 1", false],
])('MariaDB: that %s moves a sequence is %s', (sql, moves) => {
  expect(mysql.readDataChange(sql, mariadb)).toMatchObject({ movesSequence: moves });
});

test.each([
  ['delete from t /*!50000 where id = 1 */'],
  ['delete from t where id = 1 /*M!100000 or 1 */'],
  ["delete from t where a = 'x"],
  ['call p()'],
])('MariaDB: %s is not read', sql => {
  expect(mysql.readDataChange(sql, mariadb)).toBeNull();
});

test.each<[string, string[], boolean, string[]]>([
  ['update s.t as a set x = 1, (y, z) = (select 1, 2)', ['t'], false, ['x', 'y', 'z']],
  [
    'with q as (delete from z returning *), r as (update y set n = 1) insert into t select * from q',
    ['t', 'z', 'y'],
    true,
    [],
  ],
  ['insert into t values (1) on conflict (id) do update set id = 2', ['t'], false, ['id']],
  ['merge into t using u on true when matched then update set x = 1', ['t'], false, []],
])('PostgreSQL: %s', (sql, writes, inWith, sets) => {
  const reading = postgres.readDataChange(parse, sql);
  expect(reading?.writes.map(({ name }) => name).sort()).toEqual([...writes].sort());
  expect(reading?.writes[0]?.name).toBe('t');
  expect([reading?.writesInWith, reading?.sets]).toEqual([inWith, sets]);
});

test.each<[string, boolean]>([
  ['insert into t (a) values (1)', true],
  ['merge into t using u on true when not matched then insert default values', true],
  ['update t set id = default where a = 1', true],
  ['update t set id = 1 where a = 1', false],
  ['delete from t where a = 1', false],
])('PostgreSQL: that %s gives what a column has by default is %s', (sql, gives) => {
  expect(postgres.readDataChange(parse, sql)?.usesDefaults).toBe(gives);
});
