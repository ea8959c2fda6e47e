/**
 * SQLite writes that differ only in the rows they change: a shop, attacks on it, and honest work in
 * it.
 */

const numbers = (most: number) => `with recursive c(i) as (select 1 union all select i + 1 from c where i < ${most})`;

export const fixture = `
create table customers (id integer primary key, name text unique, city text);
insert into customers ${numbers(200)} select i, 'name' || i, 'city' || (i % 7) from c;
create table orders (id integer primary key, customer references customers on delete cascade on update cascade, total real, state text);
insert into orders ${numbers(2400)} select i, 1 + i % 20, i * 1.5, 'new' from c;
create table lines (id integer primary key, o references orders (id) on delete set null on update cascade);
insert into lines ${numbers(2400)} select i, i from c;
create table roots (id integer primary key); insert into roots values (1);
create table leaves (id integer primary key, r references roots on delete cascade deferrable initially deferred);
insert into leaves values (1, 1), (2, 1), (3, 1);
create table switch (id integer primary key, state);  insert into switch values (1, 'off'), (2, 'off');
create table precious (id integer primary key, v); insert into precious values (1, 1), (2, 2), (3, 3);
create trigger thrown after update of state on switch when new.state = 'boom' begin delete from precious; end;
create trigger hushed after update of v on precious when new.v = 'hush' begin select raise(ignore); end;
create table words (k text primary key, v) without rowid; insert into words values ('a', 1), ('b', 2), ('c', 3);
create table latest (id integer primary key on conflict replace, v); insert into latest values (1, 1), (2, 2);
create view open_orders as select * from orders;
create trigger open_del instead of delete on open_orders begin delete from orders where id = old.id; end;
create virtual table notes using fts5(body); insert into notes values ('one'), ('two'), ('three');
create virtual table search using fts5(name, content='customers', content_rowid='id'); insert into search(search) values ('rebuild');
create virtual table prized using fts5(v, content='precious', content_rowid='id'); insert into prized(rowid, v) values (7, 'x'), (8, 'y');
create virtual table places using rtree(id, x0, x1); insert into places ${numbers(90)} select i, i, i + 1 from c;
create table cart (id integer primary key, thing); insert into cart values (1, 'x');
create table visits (id integer primary key, page, slug);
create table stats (page text primary key, n); insert into stats values ('home', 0), ('away', 0), ('else', 0);
create table audit (what);
create trigger visited after insert on visits begin
  update visits set slug = 's' || new.id where id = new.id;
  update stats set n = n + 1 where page = new.page;
  insert into audit values (new.id);
end;
create table heard (id integer primary key);
create trigger hears after insert on heard begin update stats set page = 'home' where page <> 'home'; end;
create table chain (id integer primary key);
create trigger chain_1 after insert on chain begin insert into chain_next values (new.id); end;
create table chain_next (id integer primary key);
create trigger chain_2 before insert on chain_next begin delete from precious where id in (select id from precious); end;
create table deep (id integer primary key, n int); insert into deep values (1, 1), (2, 2), (3, 3);
create trigger deep_1 after update on deep when new.n < 100 begin update deep set n = 200 where id > 0; end;
create trigger deep_2 after insert on deep begin delete from deep where id < new.id; end;
create trigger deep_3 after delete on deep begin delete from deep where id = old.id + 1; end;
create table self_tree (id integer primary key, up references self_tree on delete cascade on update cascade);
insert into self_tree values (1, null), (2, 1), (3, 2), (4, 3);
create table codes (code text primary key); insert into codes values ('a'), ('b');
create table codes_2 (code text primary key references codes on update cascade on delete cascade); insert into codes_2 values ('a'), ('b');
create table codes_3 (id integer primary key, code references codes_2 on update cascade on delete set default); insert into codes_3 values (1, 'a'), (2, 'a'), (3, 'a');
create view view_in as select id from precious;
create trigger view_in_1 instead of insert on view_in begin update precious set v = 0 where id >= new.id; end;
create virtual table contentless using fts5(a, content=''); insert into contentless(rowid, a) values (1, 'x'), (2, 'y'), (3, 'z');
create virtual table old_words using fts4(body); insert into old_words values ('one'), ('two'), ('three');
create table strict_one (id integer primary key, v int) strict; insert into strict_one values (1, 1), (2, 2), (3, 3);
create table generated (id integer primary key, n int, twice int as (n * 2) stored); insert into generated (id, n) values (1, 1), (2, 2), (3, 3);
create table without_key (a text, b int, primary key (a, b)) without rowid; insert into without_key values ('x', 1), ('y', 2);
create table partial (id integer primary key, v int); create unique index partial_v on partial (v) where v > 0; insert into partial values (1, 1), (2, 2);
create table expressive (id integer primary key, s text); create unique index expressive_s on expressive (lower(s)); insert into expressive values (1, 'a'), (2, 'b'), (3, 'c');
create table on_conflict_col (id integer primary key, v int unique on conflict replace); insert into on_conflict_col values (1, 1), (2, 2);
create trigger cart_1 after insert on cart when new.thing = 'wipe' begin delete from precious where rowid in (select rowid from precious); end;
create table parent (id integer primary key, k text unique); insert into parent values (1, 'x'), (2, 'y');
create table child (id integer primary key, k text references parent (k) on update set null on delete set default); insert into child values (1, 'x'), (2, 'x');
create view view_up as select id, v from precious;
create trigger view_up_1 instead of update on view_up begin update precious set v = new.v; end;
create table ids (id integer primary key autoincrement, v unique); insert into ids (v) values (1), (2), (3);
create table with_null_key (a int not null on conflict replace default 1, b int, unique (a) on conflict replace); insert into with_null_key values (1, 1), (2, 2);
`;

const conditions = [
  ...[
    'id = id',
    'id in (id)',
    'id != -1',
    'rowid > -1',
    'id > 0',
    'coalesce(1, id)',
    'id is not null',
    'id = 1 or true',
    'not (id is null)',
  ],
  ...[
    'id in (select id from precious)',
    'exists (select 1 from orders)',
    "typeof(id) = 'integer'",
    'id between 0 and 1e9',
    'abs(id) = id',
  ],
  ...[
    'iif(1, 1, id)',
    '(id, 1) = (id, 1)',
    "id like '%'",
    'case when id then 1 else 1 end',
    '1',
    '1 = 1',
    'random() is not null',
  ],
];

export const attacks: readonly string[] = [
  ...conditions.map(where => `delete from precious where ${where}`),
  ...conditions.map(where => `update precious set v = null where ${where}`),
  'delete from precious',
  'update precious set v = 0',
  'delete from precious where id <> 0 returning *',
  'with x as (select id from precious) delete from precious where id in x',
  'update precious set id = id + 100 where id > 0',
  "update precious set v = 'hush' where id > 0",
  'update precious set v = o.id from orders as o where o.id = precious.id',
  'insert into precious select id, null from precious where true on conflict (id) do update set v = null',
  'insert into precious values (1, 0), (2, 0), (3, 0), (4, 0) on conflict do update set v = excluded.v',
  'replace into precious select id, null from precious',
  'insert or replace into precious (id) values (1), (2), (3)',
  'insert into latest values (1, null), (2, null)',
  "update or replace customers set name = 'same' where id > 0",
  "replace into words values ('a', 0), ('b', 0), ('c', 0)",
  "update words set k = k || 'x' where k > ''",
  'delete from customers where id <= 20',
  'update customers set id = id + 1000 where id <= 20',
  'replace into customers select id, name, null from customers where id <= 20',
  'delete from roots where id = 1',
  'replace into roots values (1)',
  "update switch set state = 'boom' where id = 1",
  "insert into switch values (1, 'boom') on conflict do update set state = excluded.state",
  'delete from open_orders where id > 0',
  'delete from orders where id > 1',
  "update orders set state = 'x' where id <= 1001",
  'delete from notes where rowid > 0',
  "update notes set body = '' where rowid in (select rowid from notes)",
  "insert into search(search) values ('delete-all')",
  "insert into search(search) values ('delete-' || 'all')",
  "insert into prized(prized) values ('delete-all')",
  "insert into prized(prized) values ('rebuild'), ('delete-all')",
  "insert into prized(prized) select 'delete-all' -- values ('rebuild')",
  "insert into prized(prized) values (iif(1, 'delete-all', 'rebuild'))",
  "insert into search(search, rowid, name) select 'delete', id, name from customers",
  'replace into notes (rowid, body) values (1, 0), (2, 0), (3, 0)',
  'delete from places where id > 0',
  'update places set x0 = 0 where id > 0',
  'update or replace precious set id = 1 where id > 1',
  "update or replace words set k = 'a' where k > 'a'",
  'insert or replace into heard values (1)',
  'insert or replace into customers (id, name) select id + 5000, name from customers',
  'delete from precious where id in (with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select i from n)',
  'delete from main.precious where rowid',
  'update precious as p set v = 0 from precious as q where p.id = q.id',
  'delete from roots where id = 1 returning *',
  'insert into chain values (1)',
  'update deep set n = 1 where id = 1',
  'insert into deep values (5, 5)',
  'delete from self_tree where id = 1',
  "update codes set code = code || 'x' where code = 'a'",
  "delete from codes where code = 'a'",
  'insert into view_in values (1)',
  "insert into contentless(contentless) values ('delete-all')",
  'delete from old_words where docid > 0',
  "update old_words set body = '' where docid > 0",
  'insert or replace into places select id, 0, 0 from places',
  'update places set id = -id where id > 0',
  "replace into notes (rowid, body) select rowid, '' from notes",
  'update or ignore precious set v = 0 where id > 0',
  'insert into precious select id, v from (select * from precious) where true on conflict (id) do update set (v, id) = (0, excluded.id + 50)',
  'with q(i) as materialized (select id from precious) delete from precious where id in (select i from q)',
  'delete from precious where likelihood(id > 0, 0.0625)',
  'delete from [precious] where [id] between 1 and 3',
  'update precious set id = -id',
  'update strict_one set v = 0 where id > 0',
  'update generated set n = 0 where twice > 0',
  'insert into generated (id, n) select id, 0 from generated where true on conflict do update set n = 0',
  "delete from without_key where a > ''",
  'replace into partial values (9, 1), (8, 2)',
  "insert or replace into expressive values (11, 'A'), (12, 'B'), (13, 'C')",
  'insert into on_conflict_col values (7, 1), (8, 2)',
  // Another name would start a new count.
  'alter table precious rename to precious_2',
  'alter table main.precious rename to "precious_2"',
  'alter table precious drop column v',
  "insert into cart values (2, 'wipe')",
  "insert or ignore into cart values (2, 'wipe')",
  "update parent set k = 'z' where id = 1",
  'delete from parent where id = 1',
  "replace into parent values (1, 'q')",
  "replace into parent values (9, 'x')",
  'update view_up set v = 0 where id = 1',
  'update or replace ids set v = 1 where id > 1',
  'update or replace ids set id = 3 where id in (1, 2)',
  'insert or replace into ids values (1, 2), (3, 1)',
  'replace into ids (v) select v from ids',
  'insert into ids values (1, 1), (2, 2), (3, 3) on conflict (v) do update set v = v + 100 on conflict (id) do nothing',
  "delete from ids where id in (select seq - 3 + value from sqlite_sequence, json_each('[1,2,3]') where name = 'ids')",
  "delete from notes where notes match 'one' or notes match 'two' or notes match 'three'",
  'update or rollback precious set v = null where id',
  'update precious set (id, v) = (select id + 10, null) where id',
  'insert into with_null_key values (null, 2), (2, 9)',
];

export const honest: readonly string[] = [
  'delete from cart where id = 1',
  "update cart set thing = 'y' where id = 1",
  `insert into audit ${numbers(5_000)} select i from c`,
  `insert into audit values ${Array.from({ length: 5_000 }, (_, at) => `(${at})`).join()}`,
  `insert into visits (page) ${numbers(5_000)} select 'home' from c`,
  `insert into visits (page) values ${Array.from({ length: 3_000 }, () => "('home')").join()}`,
  "update orders set state = 'sent' where id between 100 and 599",
  `insert into orders ${numbers(300)} select i * 5, 1, 1, 'again' from c where true on conflict (id) do update set state = excluded.state`,
  `replace into orders ${numbers(300)} select i * 5, 1, 1, 'again' from c`,
  `insert or replace into orders ${numbers(5_000)} select i + 10000, 1, 1, 'new' from c`,
  "update orders set total = c.id from (select id from customers where city = 'city1') as c where c.id = orders.id and orders.id < 200",
  'update precious set v = 9 where id = 1',
  'delete from precious where id in (1, 2)',
  "update words set v = v + 1 where k = 'a'",
  "replace into words values ('a', 5), ('z', 9)",
  "insert into stats values ('home', 1) on conflict (page) do update set n = n + 1",
  'insert into latest values (3, 3)',
  'insert into latest values (1, 9), (7, 7)',
  'delete from customers where id = 150',
  'delete from customers where id = 3',
  'update customers set id = 1000 where id = 3',
  "update or ignore customers set name = 'name7', city = 'moved' where id in (7, 8)",
  'delete from open_orders where id = 4',
  "insert into notes values ('four')",
  "update notes set body = 'new' where rowid = 1",
  "delete from notes where notes match 'two'",
  "insert into search(search, rowid, name) values ('delete', 1, 'name1')",
  "insert into prized(prized) values ('rebuild')",
  `insert into places ${numbers(500)} select i + 100, i, i + 1 from c`,
  'delete from places where id < 10',
  "update switch set state = 'on' where id = 1",
  'insert into roots values (2)',
  'delete from lines where o is null or id % 10 = 3',
  "with late as (select id from orders where id % 100 = 0) update orders set state = 'late' where id in late",
  'create table made as select * from orders',
];
