/**
 * What another program does with the file of `defined-sqlite-statements`, in the same way every
 * time. Each column is named by its table, and each answer has an order: `*`, NATURAL JOIN and bare
 * names in joins are left to docs/walls.md, save in the file's own views and triggers.
 */

import { SqliteFile } from '../../sqlite-file.ts';

const columns: Readonly<Record<string, readonly string[]>> = {
  orders: ['id', 'status', 'total', 'note', 'kind'],
  outbox: ['id', 'body'],
  strict_box: ['id', 'body'],
  accounts: ['id', 'email'],
  logins: ['id', 'at'],
  archive: ['id', 'at'],
  words: ['body'],
  grossed: ['gross'],
  both: ['email', 'kind_of'],
  plain: ['id', 'status', 'total', 'note', 'kind'],
  natural_pair: ['n'],
};

const ofColumns = Object.entries(columns).flatMap(([table, names]) =>
  names.flatMap(name => [
    `select t.${name} from ${table} t order by 1 limit 5`,
    `select count(t.${name}), min(t.${name}), max(t.${name}), typeof(max(t.${name})) from ${table} t`,
    `select count(*) from ${table} as t where t.${name} is null or t.${name} = 'new'`,
    `select t.${name}, count(*) from ${table} t group by t.${name} order by 1 limit 3`,
    `select count(distinct t.${name}), total(length(t.${name})) from main.${table} t`,
    `select ${name} from ${table} where ${name} is not null order by ${name} desc limit 2`,
    `select coalesce(t.${name}, '-') || '!' from ${table} t order by 1 limit 2`,
  ]),
);

const ofTexts = 'lower upper length hex quote trim ltrim rtrim unicode typeof abs soundex_ json_quote octet_length'
  .split(' ')
  .filter(name => !name.endsWith('_'))
  .flatMap(name => [
    `select ${name}(a.email) from accounts a order by a.id`,
    `select ${name}(o.status) from orders o order by o.id limit 1`,
    `select max(${name}(o.note)) from orders o where o.id < 9`,
  ]);

const single = [
  // As most programs' SQLite takes double quotes, and words for truth.
  'select count(*) from orders where true',
  'select count(*) from orders where false',
  'select count(*) from orders where status = "new"',
  'select count(*) from orders where note = "rush"',
  'select count(*) from orders where kind is not "gone"',
  'select rowid from orders order by rowid limit 2',
  'select _rowid_, oid from accounts order by oid',
  'select count(*) from orders where rowid = 7 and oid = 7',
  'select sum(o.gross) from (select t.*, t.total * 2 as gross from orders t) as o',
  'select a.email, count(o.id) from accounts a join orders o on o.id = a.id group by a.email order by 1',
  'select a.id from accounts a left join outbox x on x.id = a.id where x.id is null order by 1',
  'select a.id from accounts a where exists (select 1 from orders o where o.id = a.id) order by 1',
  'select a.id from accounts a where a.id in (select o.id from orders o) order by 1',
  'select o.id, row_number() over (order by o.id) from orders o order by 1 limit 3',
  'with w as (select o.id from orders o where o.id < 3) select w.id from w order by 1',
  'select a.id from accounts a union select o.id from orders o order by 1 limit 3',
  "select j.value from json_each('[1, 2]') j order by 1",
  'select j.key, j.atom from json_tree(\'{"a": 1}\') j order by 1',
  "select p.name, p.type from pragma_table_info('accounts') p where p.cid < 2 order by p.cid",
  "select words.body from words where words match 'remember'",
  "select w.rowid, rank < 0 from words w where w.body match 'me'",
  'select count(*) from empty_words',
  "select date('2026-01-02'), strftime('%Y', '2026-01-02'), julianday('2026-01-02') > 0",
  "select printf('%d', 5), substr('abc', 2), replace('abc', 'b', 'x'), instr('abc', 'c'), round(2.5), sign(-2)",
  "select 'a' like 'A', 'a' glob 'A', 'a' < 'B', 'a' = 'A' collate nocase",
  "select json_extract('{\"a\": 5}', '$.a'), '{\"a\": 5}' ->> 'a', json_array(1, 2), json_valid('x')",
  "select group_concat(a.email, ',') from (select email from accounts order by id) a",
  'select cast(o.total as integer), cast(o.id as text) from orders o where o.id = 4',
  'select o.id % 5 as bucket, count(*) from orders o group by 1 order by 1',
  "select case when o.id > 3 then 'a' else 'b' end from orders o order by o.id limit 4",
  'select iif(1, 2, 3), nullif(1, 1), ifnull(null, 4), max(1, 2), min(1, 2), likely(1), coalesce(null, 5)',
  'select o.id from orders o where o.status is not null and o.total > 490 order by o.total desc, o.id limit 3',
  "select a.id from accounts a where a.email = 'a@x' and a.email < 'b'",
  'select max(o.id) - min(o.id), avg(o.total) from orders o',
  'select count(*) from accounts a cross join outbox x',
  "select s.name from sqlite_schema s where s.type = 'view' and s.name in ('both', 'plain') order by 1",
  'select (select count(*) from accounts), (select g.gross from grossed g)',
  'select p.id, b.email from plain p, both b where p.id = 1 order by 2',
  'explain query plan select 1',
  'pragma user_version',
  'pragma application_id',
  'pragma foreign_key_check',
  'pragma integrity_check',
];

const writes = [
  "insert into orders (status) values ('paid') returning status, total",
  "insert into orders (note) values (null), (5), (x'00') returning id, status",
  "insert into orders (id, note) values (9001, '{')",
  'insert into orders default values returning status',
  "insert into orders (id, status) values (1, 'x') on conflict (id) do update set status = excluded.status returning id",
  'insert or ignore into orders (id) values (1)',
  "insert or replace into orders (id, note) values (3, 'again') returning status",
  'insert into orders (total) values (1e308), (-5), (9223372036854775807)',
  "update orders set status = 'paid' where id = 4 returning id, status",
  'update orders set note = null where id < 5',
  "update orders set note = 'same' where id < 20",
  'update orders set total = total + 1 where id = 8 returning total',
  'update orders set id = id + 100000 where id = 9 returning id',
  'update orders set kind = status where rowid = 12 returning kind',
  'update orders set status = "late" where true',
  'delete from orders where id = 11',
  'delete from orders where id between 20 and 30',
  'delete from orders',
  'replace into orders (id, total) values (2, 3)',
  "insert into accounts (id, email) values (1001, 'new@x'), (1002, null)",
  "insert into accounts (email) values ('a@x'), ('a@x') returning id",
  "update accounts set email = 'z@x' where id = 1 returning email",
  'update accounts set id = 77 where id = 2 returning id',
  'update accounts set email = null',
  'delete from accounts where id = 2 returning id',
  'delete from accounts',
  "insert into outbox (body) values ('a'), (''), (null), (5), (x'ff')",
  "insert into outbox (id, body) values (1, '{'), (2, '[]')",
  'insert into outbox default values returning body',
  "insert into outbox (body) values ('now'), ('-1 day'), ('9999999999999')",
  'insert into outbox (body) values (-9223372036854775808), (9223372036854775807)',
  "insert into outbox (body) values ('twice'), ('twice')",
  "insert into orders (kind, status) values ('a', 'b'), ('a', 'b')",
  'delete from outbox',
  "insert into strict_box (body) values ('x'), (null)",
  'insert into strict_box (id) values (7) returning body',
  'insert into strict_box (body) select status from orders where id < 4',
  "insert into logins (id, at) values (1, 'x'), (2, null)",
  "insert into logins (at) values ('x'); ",
  "update logins set at = 'y'",
  'delete from logins',
  "insert into archive (id, at) values (1, 'x')",
  'insert into archive (id) values (null)',
  'delete from archive',
  "insert into words (body) values ('forget me'), ('remember you')",
  "update words set body = 'x' where rowid = 1",
  'delete from words where rowid = 1',
  "insert into empty_words (body) values ('x')",
  'insert into orders (status) select o.status from orders o where o.id < 4',
  'update orders set total = (select max(id) from accounts) where id = 5 returning total',
  'update orders set note = a.email from accounts a where a.id = orders.id returning note',
  'delete from orders where id in (select a.id from accounts a) returning id',
  'insert into outbox (body) select a.email from accounts a order by a.id returning id, body',
];

export const workload: readonly string[] = [...ofColumns, ...ofTexts, ...single, ...writes];

/** @returns what each statement answers; nothing of it stays. */
export function answersOf(path: string): readonly string[] {
  const file = new SqliteFile(path, { enableDoubleQuotedStringLiterals: true, enableForeignKeyConstraints: true });
  try {
    return workload.map(sql => {
      file.exec('begin');
      try {
        return JSON.stringify(file.rows(sql), (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      } catch (error) {
        return String(error);
      } finally {
        if (file.isTransaction) file.exec('rollback');
      }
    });
  } finally {
    file.close();
  }
}
