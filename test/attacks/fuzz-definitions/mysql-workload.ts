/**
 * A MySQL or MariaDB database in use, and what another account does there, in the same way every
 * time. Each column is named by its table, and each answer has an order: `*`, NATURAL JOIN, an
 * INSERT without names and bare names in joins are left to docs/walls.md.
 */

import { type Connection, createConnection, type ResultSetHeader } from 'mysql2';
import type { MariadbServer } from '../../servers/mariadb.ts';

export const database = 'with_definitions';

export const setUp = `drop database if exists fresh_database; drop database if exists ${database};
create database ${database} character set utf8mb4; use ${database};
create table accounts (id int primary key, email varchar(100), pw varchar(60) not null default 'x') comment 'owner: billing';
create table orders (id int primary key auto_increment, status varchar(20) not null default 'new', note text, kind enum('a', 'b'),
  total decimal(10, 2) default 5, placed datetime default '2026-01-01 00:00:00', key by_status (status), constraint positive check (total > 0));
create table items (id int primary key, order_id int not null, foreign key (order_id) references orders (id) on delete cascade);
create table outbox (id int, body varchar(100));
create table untouched (id int primary key, v int);
create table searched (id int primary key, body text, fulltext key found (body)) engine = MyISAM;
create table parted (id int primary key, v int) partition by range (id) (partition p0 values less than (100), partition p1 values less than (200));
create table hashed (id int primary key, v int) partition by hash (id) partitions 4;
create table written (at int auto_increment primary key, what varchar(50));
create view totals as select count(accounts.id) as number, max(accounts.email) as latest from accounts;
create view plain as select * from orders;
create trigger noted after update on untouched for each row insert into written (what) values (concat(old.id, '-', new.v));
create trigger filled before insert on outbox for each row set new.body = coalesce(new.body, 'none');
insert into accounts (id, email) values (1, 'a@x'), (2, 'Bob@x'), (3, null), (4, 'd@x'), (5, 'e@x'), (6, 'f@x'), (7, 'g@x'), (8, 'h@x');
insert into orders (status, note, kind, total) select 'new', if(id % 2 = 0, 'rush', null), 'a', id from accounts;
insert into items (id, order_id) values (1, 1), (2, 1), (3, 2);
insert into searched values (1, 'the quick brown fox'), (2, 'a dog and the cat'), (3, 'birds'), (4, 'bees'), (5, 'fish');
insert into parted values (1, 1), (101, 2); insert into hashed values (1, 1), (2, 2), (3, 3), (4, 4);`;

const columns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['id', 'email', 'pw'],
  orders: ['id', 'status', 'note', 'kind', 'total', 'placed'],
  items: ['id', 'order_id'],
  outbox: ['id', 'body'],
  untouched: ['id', 'v'],
  parted: ['id', 'v'],
  hashed: ['id', 'v'],
  totals: ['number', 'latest'],
  plain: ['id', 'status', 'note', 'kind', 'total', 'placed'],
};

const ofColumns = Object.entries(columns).flatMap(([table, names]) =>
  names.flatMap(name => [
    `select t.${name} from ${table} t order by 1 limit 5`,
    `select count(t.${name}), min(t.${name}), max(t.${name}) from ${table} t`,
    `select count(*) from ${table} as t where t.${name} is null or t.${name} = '5'`,
    `select t.${name}, count(*) from ${table} t group by t.${name} order by 1 limit 3`,
    `select count(distinct t.${name}), coalesce(sum(char_length(t.${name})), 0) from ${database}.${table} t`,
    `select ${name} from ${table} where ${name} is not null order by ${name} desc limit 2`,
  ]),
);

const ofTexts = 'lower upper char_length hex quote trim ltrim rtrim md5 reverse ascii soundex length collation charset'
  .split(' ')
  .flatMap(name => [
    `select ${name}(a.email) from accounts a order by a.id`,
    `select ${name}(o.status) from orders o order by o.id limit 1`,
  ]);

const single = [
  'select a.email, count(o.id) from accounts a join orders o on o.id = a.id group by a.email order by 1',
  'select a.id from accounts a left join untouched u on u.id = a.id where u.id is null order by 1 limit 3',
  'select a.id from accounts a where exists (select 1 from orders o where o.id = a.id) order by 1 limit 3',
  'select a.id from accounts a where a.id in (select o.id from orders o) order by 1 limit 3',
  'select o.id, row_number() over (order by o.id) from orders o order by 1 limit 3',
  'with w as (select a.id from accounts a where a.id < 3) select w.id from w order by 1',
  'select a.id from accounts a union select o.id from orders o order by 1 limit 3',
  "select o.id from orders o where o.status = 'NEW' order by o.id limit 3",
  "select a.id from accounts a where a.email = 'bob@X' order by a.id",
  "select a.id from accounts a where a.email < 'c' order by a.email, a.id",
  'select group_concat(a.email order by a.id) from accounts a',
  'select o.id % 5 as bucket, count(*) from orders o group by 1 order by 1',
  "select case when o.id > 3 then 'a' else 'b' end from orders o order by o.id limit 4",
  'select if(o.note is null, 1, 2), nullif(o.id, 1), greatest(o.id, 3), least(o.id, 3) from orders o order by o.id limit 4',
  "select date_format(o.placed, '%Y'), year(o.placed), date_add(o.placed, interval 1 day) from orders o where o.id = 4",
  'select max(o.id) - min(o.id), avg(o.total), sum(o.total) from orders o',
  'select count(*) from accounts a cross join outbox x',
  "select s.id from searched s where match (s.body) against ('fox') order by s.id",
  "select s.id from searched s where match (s.body) against ('dog') order by s.id",
  "select s.id from searched s where match (s.body) against ('+cat' in boolean mode) order by s.id",
  'select p.id from parted partition (p0) p order by p.id',
  'select (select count(*) from accounts), (select t.number from totals t)',
  'select l.id from items l join orders o on o.id = l.order_id order by l.id',
  'select distinct o.kind + 0 from orders o',
  'select o.total from orders o where o.total > 3 order by o.total desc, o.id limit 3',
  'select a.email from accounts a where a.id = 5 for update',
  'select coalesce(o.note, o.status) from orders o where o.id < 4 order by o.id',
  "select replace(a.email, '@', '#'), substring(a.email, 2), left(a.email, 1), instr(a.email, '@') from accounts a where a.id = 2",
  "select table_comment from information_schema.tables where table_schema = database() and table_name = 'accounts'",
  "select engine from information_schema.tables where table_schema = database() and table_name in ('orders', 'searched') order by table_name",
  "select column_type from information_schema.columns where table_schema = database() and table_name = 'orders' and column_name = 'status'",
  'select database(), 5 + 5, concat(1, 2), 7 div 2, 7 % 2',
  'select w.what from written w order by w.at',
  "select json_extract('{\"a\": 5}', '$.a'), json_valid('x')",
  'select h.id from hashed h where h.id in (1, 3) order by h.id',
];

const writes = [
  "insert into accounts (id, email) values (1001, 'new@x'), (1002, null)",
  "insert into accounts (id, email) values (1, 'a') on duplicate key update email = 'dup'",
  "insert ignore into accounts (id, email) values (2, 'a')",
  "replace into accounts (id, email) values (2, 'a')",
  "insert into accounts (id, email, pw) values (1003, 'a@x', 'same'), (1004, 'a@x', 'same')",
  "update accounts set pw = 'y' where id = 3",
  'update accounts set email = null where id < 3',
  'update accounts set email = upper(email) where id = 4',
  'delete from accounts where id = 7',
  'delete from accounts',
  "insert into orders (status) values ('paid')",
  "insert into orders (note) values (null), ('x'), (repeat('y', 5000))",
  "insert into orders (status, kind, total) values ('new', 'b', 3), ('new', 'b', 3)",
  'insert into orders (id) values (9001)',
  "insert into orders (kind) values ('c')",
  'insert into orders (total) values (0)',
  "insert into orders (placed) values (null), ('0001-01-01')",
  "insert into orders set status = 'set'",
  'insert into orders (status) select o.status from orders o where o.id < 4',
  "update orders set status = 'paid' where id = 4",
  'update orders set note = null where id < 5',
  "update orders set note = 'same' where id < 20",
  'update orders set total = total + 1 where id = 8',
  'update orders set id = id + 100000 where id = 6',
  "update orders set status = repeat('s', 20)",
  "update orders set status = repeat('s', 21)",
  'update orders o join accounts a on a.id = o.id set o.note = a.email where a.id < 3',
  'delete from orders where id = 1',
  'delete from orders where id between 2 and 5',
  'delete o from orders o join accounts a on a.id = o.id where a.id = 3',
  'delete from orders',
  'insert into items (id, order_id) values (10, 3)',
  'insert into items (id, order_id) values (11, 999)',
  'update items set order_id = 2 where id = 1',
  'delete from items',
  'insert into outbox (id) values (1), (1)',
  "insert into outbox (body) values (''), (repeat('b', 100))",
  'insert into outbox () values ()',
  "insert into outbox (id, body) values (null, 'x')",
  "update outbox set body = 'x'",
  'delete from outbox',
  'insert into untouched (id, v) values (1, 1), (2, 1), (3, null), (4, -2147483648)',
  'insert into untouched (id) values (2147483647)',
  'insert into untouched (id, v) values (5, 5) on duplicate key update v = 6',
  'delete from untouched',
  'insert into parted (id, v) values (5, 5), (150, 5)',
  'update parted set v = 7 where id = 1',
  'delete from parted where id = 101',
  'insert into hashed (id, v) values (50, 5), (51, 5)',
  'update hashed set v = 1',
  'delete from hashed where id = 2',
  "insert into written (what) values ('x')",
  "update plain set note = 'through' where id = 2",
];

/** Each in one transaction: what a write left, by itself or by a trigger. */
const together = [
  ['insert into untouched (id, v) values (9, 9)', 'update untouched set v = 10', 'select w.what from written w'],
  [
    "insert into orders (status) values ('seen')",
    "select o.note, o.kind, o.total, o.placed from orders o where o.status = 'seen'",
  ],
  ['insert into accounts (id) values (77)', 'select a.email, a.pw from accounts a where a.id = 77'],
  ['insert into outbox (id) values (77)', 'select x.body from outbox x'],
];
const goOn = new Set(together.flatMap(statements => statements.slice(1)));

export const workload: readonly string[] = [...ofColumns, ...ofTexts, ...single, ...writes, ...together.flat()];

/** @returns what each statement answers; nothing of it stays, but numbers of AUTO_INCREMENT. */
export async function answersOf({ socketPath }: MariadbServer): Promise<readonly string[]> {
  const session = createConnection({ socketPath, user: 'other', password: 'other-only', database, rowsAsArray: true });
  session.on('error', () => {});
  try {
    await answerOf(session, 'set session innodb_lock_wait_timeout = 2');
    const answers: string[] = [];
    for (const sql of workload) {
      if (!goOn.has(sql)) {
        await answerOf(session, 'rollback');
        await answerOf(session, 'start transaction');
      }
      answers.push(await answerOf(session, sql));
    }
    await answerOf(session, 'rollback');
    return answers;
  } finally {
    session.destroy();
  }
}

function answerOf(session: Connection, sql: string): Promise<string> {
  return new Promise(resolve => {
    session.query<ResultSetHeader>(sql, (error, result) => {
      if (error !== null) resolve(error.message);
      else if (Array.isArray(result)) resolve(JSON.stringify(result));
      else resolve(`${result.affectedRows} rows, ${result.warningStatus} warnings`);
    });
  });
}
