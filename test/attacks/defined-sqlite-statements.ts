/**
 * Definitions that look as if they only added, on an SQLite file in use, and definitions that do
 * only add.
 */

const numbers = (most: number) =>
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most}) select i`;

export const setUp = `
create table orders (id integer primary key, status text not null default 'new', total real, note text, kind text,
  check (status <> "gone"));
insert into orders (id, status, total, note) ${numbers(500)}, 'new', i, 'rush' from n;
create table outbox (id integer primary key, body text);
create table strict_box (id integer primary key, body text) strict;
create table accounts (id integer primary key, email text); insert into accounts values (1, 'a@x'), (2, 'b@x');
create view grossed as select sum(o.gross) as gross from (select *, total * 2 as gross from orders) as o;
create view both as select email, kind_of from accounts join (select 'x' as kind_of) as k;
create view plain as select * from orders;
create view natural_pair as select count(*) as n from orders natural join (select 'a@x' as email, 1 as id) as other;
create table logins (id integer primary key, at text); create table archive (id, at);
create trigger archived after delete on accounts begin insert into archive select * from logins where id = old.id; end;
create virtual table words using fts5 (body); insert into words values ('remember me');
create virtual table empty_words using fts5 (body);
`;

/** Each is tried on the file above. */
export const asking: readonly { readonly sql: string; readonly says: RegExp }[] = [
  // Another meaning for what others' statements say.
  { sql: 'alter table orders add column true int default 0', says: /say true/ },
  { sql: 'alter table orders add "FALSE" int default 1', says: /say FALSE/ },
  { sql: 'alter table orders add column "new" text', says: /text new in double quotes/ },
  { sql: "alter table orders add column 'Rush' text", says: /text Rush in double quotes/ },
  { sql: 'alter table orders add column gone text', says: /text gone in double quotes/ },
  { sql: 'alter table orders add column rowid int', says: /name of a row's number/ },
  { sql: 'alter table orders add column gross real default 0', says: /view grossed reads the new column gross/i },
  { sql: 'alter table orders add column email text', says: /view natural_pair reads the new column email/i },
  { sql: 'alter table logins add column late text', says: /trigger of accounts fails/i },
  { sql: 'alter table accounts add column kind_of text', says: /view both/i },
  // Rules for what others write, whether there are rows or not.
  ...[
    'alter table outbox add column late text not null',
    "alter table outbox add column late text default (json_extract('x', '$'))",
    "alter table outbox add column late text not null default (case when date('now') < '2030-01-01' then 1 end)",
    'alter table outbox add column late int check (late > 0)',
    'alter table outbox add column late int default 5 references accounts(id)',
    'alter table outbox add column late as (abs(-9223372036854775807 - id))',
    'alter table outbox add column late int not null on conflict ignore default 1',
    "alter table strict_box add column late int default 'x'",
    "alter table strict_box add column late blob default 'x'",
  ].map(sql => ({ sql, says: /writes to \w+ may fail/ })),
  { sql: 'alter table outbox add late int references accounts on delete cascade', says: /changed or deleted along/ },
  { sql: 'create unique index bomb on outbox (body)', says: /restricts what others may write to outbox/ },
  { sql: 'create unique index bomb on accounts (email)', says: /restricts/ },
  ...[
    "create index bomb on outbox (json_extract(body, '$'))",
    'create index bomb on outbox (date(body))',
    'create index bomb on outbox (date())',
    "create index bomb on outbox (body ->> '$.x')",
  ].map(sql => ({ sql, says: /expression that may fail/ })),
  // A key to what isn't there.
  ...['nowhere', 'nowhere (id)'].map(to => ({
    sql: `alter table logins add column of int references ${to}`,
    says: /Writes to logins fail where keys are checked/,
  })),
  // Names of SQLite's own.
  { sql: 'create table json_each (value)', says: /takes the name json_each/ },
  { sql: 'create view pragma_table_info as select 1 a', says: /takes the name pragma_table_info/ },
  // By these numbers programs know the file.
  { sql: 'pragma user_version = 7', says: /number by which programs know/ },
  { sql: 'pragma main.application_id(7)', says: /number by which programs know/ },
  // Commands to an index that isn't new, with rows or without.
  { sql: "insert into words(words, rank) values ('rank', 'nosuch()')", says: /command to a full-text index/ },
  { sql: "insert into empty_words(empty_words, rank) values ('rank', 'nosuch()')", says: /command to a full-text/ },
  { sql: "insert into words(words, rank) values ('merge', 'nosuch()')", says: /command to a full-text index/ },
];

/** In this order. Nobody is asked: they add, or change what this client made itself. */
export const honest: readonly string[] = [
  'create table mine (id integer primary key, v int, doc text)',
  'create unique index mine_v on mine (v)',
  "create index mine_doc on mine (json_extract(doc, '$.a'))",
  'alter table mine add column w int check (w > 0)',
  "insert into mine (v, doc, w) values (1, '{}', 1)",
  'alter table mine add column x int references accounts on delete cascade',
  'create unique index mine_w on mine (w)',
  'create table child (id integer primary key, of integer references mine (id) on delete cascade)',
  'create table early (id integer primary key, of integer references late (id))',
  'create table late (id integer primary key, of int references mine (w))',
  'create view mine_view as select * from mine',
  'create table copied as select * from orders',
  'create index orders_total on orders (total desc, lower(note))',
  "create index orders_open on orders (id) where status in ('new', 'paid') and note is not null",
  'alter table outbox add column at text not null default current_timestamp',
  'alter table outbox add column tries int not null default 0',
  "alter table outbox add column label text default 'none'",
  'alter table outbox add column account int references accounts (id)',
  'alter table strict_box add column tries int not null default -1',
  'create virtual table mine_words using fts5 (body)',
  "insert into mine_words(mine_words, rank) values ('rank', 'bm25(10)')",
  "insert into words(words, rank) values ('merge', 500)",
  "insert into words(words, rank) values ('merge', -500)",
  'create temp table scratch as select * from orders',
  'create table if not exists orders (id)',
  'analyze',
];
