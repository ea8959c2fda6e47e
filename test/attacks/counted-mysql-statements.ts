/**
 * MySQL and MariaDB writes that differ only in the rows they change: a shop, attacks on it, and
 * honest work in it.
 */

/** Statements are separated by `//`. */
export const tables = `
drop database if exists shop// create database shop character set utf8mb4// use shop//
create table customer (id int primary key, name varchar(20), orders int default 0)//
insert into customer select seq, concat('c', seq), 0 from seq_1_to_40//
create table orders (id int primary key auto_increment, customer int, total int, foreign key (customer) references customer (id) on delete cascade on update cascade)//
insert into orders (customer, total) select 1 + seq % 40, seq from seq_1_to_200//
create table line (id int primary key auto_increment, orders int, what varchar(9), foreign key (orders) references orders (id) on delete cascade)//
insert into line (orders, what) select seq, 'x' from seq_1_to_200//
create table note (id int primary key auto_increment, customer int, foreign key (customer) references customer (id) on delete set null on update cascade)//
insert into note (customer) values (7), (7), (7)//
create table cart (id int primary key, item int)// insert into cart values (1, 1)//
create table setting (name varchar(20) primary key, value int)// insert into setting values ('a', 1), ('b', 2), ('c', 3)//
create table audit (id int primary key auto_increment, what varchar(30))// insert into audit (what) values ('x'), ('y'), ('z')//
create table counter (name varchar(20) primary key, n int)// insert into counter values ('orders', 0), ('lines', 0)//
create table price (id int primary key, cents int)// insert into price select seq, seq from seq_1_to_3000//
create table feed (id int primary key, cents int)// insert into feed select seq, seq * 2 from seq_1_to_20//
create table part (id int primary key, n int) partition by hash (id) partitions 4// insert into part select seq, seq from seq_1_to_30//
create table isam (id int primary key, n int) engine = MyISAM// insert into isam values (1, 1), (2, 2), (3, 3)//
create table tree (id int primary key, parent int, foreign key (parent) references tree (id) on delete cascade)//
insert into tree values (1, null), (2, 1), (3, 2), (4, 1)//
create table bomb (id int primary key)// insert into bomb values (1)//
create trigger bombing after insert on bomb for each row delete from note where id > new.id - 100000//
create table sly (id int primary key)//
create trigger slying before insert on sly for each row update setting set value = 9 where name <> ''//
create view cheap as select id, cents as price from price where cents > 0//
create table parted (id int primary key, n int) partition by hash (id) partitions 2// insert into parted select seq, seq from seq_1_to_3000//
create view parted_view as select id, n from parted//
create table logged (id int primary key, n int)// insert into logged select seq, seq from seq_1_to_50//
create trigger logging after update on logged for each row insert into audit (what) values (new.n)//
create trigger counting after insert on logged for each row update counter set n = n + 1 where name = 'lines'//
create function wiping() returns int modifies sql data begin delete from setting where name <> ''; return 1; end//
create table stage (id int primary key)//
create trigger staging after insert on stage for each row insert into bomb values (new.id + 100)//
create table country (code varchar(9) primary key)// insert into country values ('fr'), ('de')//
create table city (id int primary key, country varchar(9), foreign key (country) references country (code) on update cascade on delete set null)//
insert into city values (1, 'fr'), (2, 'fr'), (3, 'fr')//
create table made (id int primary key, n int, twice int generated always as (n * 2) stored)// insert into made (id, n) values (1, 1), (2, 2), (3, 3)//
create table two_keys (id int primary key, n int unique)// insert into two_keys values (1, 11), (2, 12), (3, 13)//
create function wiping_by_name() returns int modifies sql data begin declare done int default 0; repeat delete from setting limit 1; set done = done + 1; until done > 5 end repeat; return done; end//
create view counted_view as select name, value from setting where value > 0//
create view view_of_view as select * from counted_view//
create procedure by_cursor() begin declare stop int default 0; declare k varchar(20); declare c cursor for select name from setting; declare continue handler for not found set stop = 1; open c; l: loop fetch c into k; if stop then leave l; end if; delete from setting where name = k; end loop; close c; end//
create procedure committing() begin delete from setting where value > 0; commit; end//
create procedure by_string() begin prepare s from 'delete from setting where value > 0'; execute s; end//
create procedure nested() begin call clearing(); end//
create procedure clearing() begin delete from setting where value > 0; end//
create procedure adding() begin insert into audit (what) values ('added'); end//
create procedure adding_more(n int) begin insert into audit (what) values (n); end//
create table chain_a (code varchar(5) primary key)// insert into chain_a values ('a'), ('b')//
create table chain_b (id int primary key, a varchar(5) unique, foreign key (a) references chain_a (code) on delete cascade on update cascade)//
insert into chain_b values (1, 'a'), (2, 'b')//
create table chain_c (id int primary key, a varchar(5), foreign key (a) references chain_b (a) on delete cascade on update cascade)//
insert into chain_c values (1, 'a'), (2, 'a'), (3, 'a')//
create table self_key (code varchar(5) primary key, above varchar(5), foreign key (above) references self_key (code) on delete cascade)//
insert into self_key values ('a', null), ('b', 'a'), ('c', 'b')//
create table pair (a int, b int, primary key (a, b))// insert into pair values (1, 1), (2, 2)//
create table of_pair (id int primary key, a int, b int, foreign key (a, b) references pair (a, b) on delete set null on update cascade)//
insert into of_pair values (1, 1, 1), (2, 1, 1)//
create procedure flushing() begin delete from setting where value > 0; flush status; end//
create procedure flushing_first() begin flush status; delete from setting where value > 0; end//
create procedure in_savepoint() begin savepoint a; delete from setting where value > 0; release savepoint a; end//
create procedure temporary_work() begin create temporary table setting_copy select * from setting; delete from setting where name in (select name from setting_copy); drop temporary table setting_copy; end//
create table undoing (id int primary key)//
create trigger undoing_one before insert on undoing for each row begin declare continue handler for sqlexception begin end; insert into cart values (1, 1); delete from setting where value >= new.id; end//
create table replaced_by (id int primary key, n int)// insert into replaced_by values (1, 0)//
create trigger replaced_one before delete on replaced_by for each row delete from setting where value > old.n//
create table upserting (id int primary key)//
create trigger upserting_one after insert on upserting for each row insert into setting select name, 0 from counter on duplicate key update value = 0//
create trigger upserting_more after insert on upserting for each row replace into setting select name, 0 from (select 'a' as name union select 'b' union select 'c') as s//
create view hidden_wipe as select wiping() as name// create table odd (id int primary key)// create table \`odd name\` (\`a b\` int primary key)// insert into \`odd name\` values (1), (2), (3)//
create table versioned (id int primary key, n int) with system versioning// insert into versioned values (1, 1), (2, 2)//
create table period (id int, a date, b date, period for p(a, b))// insert into period values (1, '2020-01-01', '2021-01-01'), (2, '2020-01-01', '2021-01-01')//
create table memory (id int primary key, n int) engine = MEMORY// insert into memory values (1, 1), (2, 2)//
create table to_isam (id int primary key)// create trigger to_isam after insert on to_isam for each row delete from isam where id > 0//
create table is2 (id int primary key, v int not null, u varchar(20) not null unique, a int not null, b int not null, unique (a, b), key (v)) engine = MyISAM//
insert into is2 select seq, 0, concat('u', seq), 1, seq from seq_1_to_300//
create view is2_turned as select id as v, v as id from is2//
create table h2 (id int primary key, v int)// insert into h2 values (1, 1), (2, 2)//
create trigger h2_clears after update on h2 for each row delete from is2 where v = 0//
create table h3 (id int primary key, v int)// insert into h3 values (0, 1), (2, 2)//
create trigger h3_clears after update on h3 for each row delete from is2 where u = new.id//
create table h4 (id int primary key, v int)// insert into h4 values (1, 1), (2, 2)//
create trigger h4_marks after update on h4 for each row update is2 set v = 9 where id = new.id//
create function fis() returns int begin delete from is2 where v = 0; return 1; end//
create procedure hidden_key(id int) begin delete from is2 where id = 7; end//
create procedure hidden_key_too() begin declare id int default 7; update is2 set v = 4 where id = 7; end//
create function hidden_key_by_function(id int) returns int begin delete from is2 where id = 7; return 1; end//
create table h5 (id int primary key, v int)// insert into h5 values (1, 1), (2, 2)//
create trigger h5_hides after update on h5 for each row begin declare id int default new.id; update is2 set v = 9 where id = new.id; end//
create procedure hidden_part(b int) begin delete from is2 where a = 1 and b = 7; end//
create procedure pis() begin delete from is2 where v = 0; end//
create table on_delete (id int primary key)// insert into on_delete values (1), (2)//
create trigger on_delete after delete on on_delete for each row update setting set value = 0 where name <> ''//
create table one_by_one (id int primary key)//
create trigger one_by_one after insert on one_by_one for each row begin declare i int default 0; while i < 3 do update setting set value = 0 where value > 0 limit 1; set i = i + 1; end while; end//
create table buyer (id int primary key, visits int default 0)// insert into buyer (id) select seq from seq_1_to_600//
create table visit (id int primary key auto_increment, buyer int, page int, foreign key (buyer) references buyer (id) on delete cascade)//
insert into visit (buyer, page) select 1 + seq % 600, 1 + seq % 600 from seq_1_to_3000//
create table page (id int primary key, visits int)//
create table page_told (id int primary key, visits int)//
create trigger telling after insert on page_told for each row update setting set value = 9 where name <> ''//
create table page_upserts (id int primary key, visits int)//
create trigger upserting_buyers after insert on page_upserts for each row insert into buyer values (new.id, 9) on duplicate key update visits = 9//
create function marking() returns int modifies sql data begin update setting set value = 9 where name <> ''; return 1; end//
create function upserting() returns int modifies sql data begin insert into setting values ('a', 9), ('b', 9), ('c', 9) on duplicate key update value = 9; return 1; end//
create function marking_nothing() returns int modifies sql data begin update setting set value = 9 where name = ''; return 1; end//
create view marking_within as select marking() as n// create view marking_without as select n from marking_within//
create view upserting_within as select upserting() as n// create view upserting_without as select n from upserting_within//
create table veiled (id int primary key, v int default 0 invisible)// insert into veiled (id, v) values (1, 1), (2, 2), (3, 3)//
create table unveil (id int primary key)// create trigger unveiling after insert on unveil for each row update veiled set v = 9 where id > 0//
create table by_procedure (id int primary key)// create trigger by_procedure after insert on by_procedure for each row call clearing()//
create trigger \`odd one\` after insert on odd for each row delete from \`odd name\` where \`a b\` > 0`.split('//');

/** Each is refused and leaves every table as it was. */
export const attacks: readonly string[] = [
  ...[
    'id in (id)',
    'id > -1',
    'coalesce(1, id)',
    'id != -1',
    'id = id',
    "name like '%'",
    'id between -1 and 99999',
  ].map(condition => `delete from customer where ${condition}`),
  ...[
    'id <=> id',
    'id or 1',
    'id >= id',
    '1 in (1, id)',
    '(id, 1) = (id, 1)',
    'id = part.id + 0',
    "id regexp '.*'",
    'id in (1) or id not in (1)',
    'not (id and 0)',
    'concat(id) = id',
    'id * 0 = 0',
    'id between id and id',
    "id like '%%'",
    'id = 1 /*!50000 or 1 = 1 */',
  ].map(condition => `delete from part where ${condition}`),
  'delete from customer where id in (select id from (select id from customer) as c)',
  'delete from setting where value in (1, 2, 3)',
  "delete from setting where name > '' order by name limit 3",
  "update setting set value = 0 where name > ''",
  'update setting as s join (select 1 as one) as x set s.value = 0 where x.one = 1',
  'update setting s, counter c set s.value = 5, c.n = 5 where s.value > 0',
  'update setting s, counter c set value = 5 where s.value > 0',
  'delete s, c from setting s join counter c where s.value > 0',
  'delete from s using setting as s where s.value > 0',
  "insert into setting values ('a', 9), ('b', 9), ('c', 9) on duplicate key update value = 9",
  'insert into setting select name, 0 from setting as o on duplicate key update value = 0',
  "replace into setting values ('a', 9), ('b', 9), ('c', 9), ('d', 9)",
  'replace into setting select name, 0 from (select * from setting) as o',
  'delete from part where id + 0 > 0',
  'update part set n = 0 where id + 0 > 0',
  'update cheap set price = 1 where id > 0',
  'delete from cheap where id > 0',
  'delete from orders where total > 0',
  'delete from customer where id < 40',
  'update customer set id = id + 1000 where id > 0',
  'delete from tree where id = 1',
  'insert into bomb values (5)',
  'insert into sly values (1)',
  'insert into unveil values (1)',
  'select wiping()',
  'call clearing()',
  'insert into audit (what) select wiping()',
  'create table copied as select wiping() as n',
  'create table copied (n int) select wiping() + 1 as n from audit union select 2',
  'delete from price where id < 1500',
  'update price set cents = 0 where id between 1 and 1200',
  'delete from isam where id > 0',
  'update isam set n = 0 where id in (select id from feed)',
  'update ignore setting set value = value + 1 where name is not null',
  'delete low_priority quick from setting where rand() < 2',
  "delete from setting where name = 'a' or name <> 'a'",
  'delete from customer where id = 7 or (select count(*) from feed) > 0',
  'insert into stage values (1)',
  'insert into stage select 1 from feed limit 1',
  "update country set code = 'FRA' where code = 'fr'",
  "delete from country where code = 'fr'",
  "replace into country values ('fr')",
  'update made set n = 0 where twice > 0',
  'insert into made (id, n) select id, 0 from made as o on duplicate key update n = values(n)',
  'replace into two_keys values (9, 11), (8, 12), (7, 13)',
  'insert into two_keys values (4, 11), (5, 12), (6, 13) on duplicate key update n = n + 100',
  'update ignore two_keys set id = id + 10 where n > 0',
  'update two_keys set n = -n order by id limit 1000',
  'delete from two_keys where n in (select * from (select n from two_keys) as x) returning id',
  'delete from view_of_view where value > 0',
  'update view_of_view set value = 8 where name > char(1)',
  'select wiping_by_name()',
  'update cart set item = wiping_by_name() where id = 1',
  'delete from cart where id = wiping() - 0',
  'call by_cursor()',
  'call committing()',
  'call by_string()',
  'call nested()',
  'delete from setting where name = any (select name from (select name from setting) as s)',
  'delete a from setting a, setting b where a.name = b.name',
  'delete a, b from two_keys a left join setting b on b.value = a.id where a.id > 0',
  'update setting natural join (select name from setting) as o set value = 7 where value > 0',
  "update setting set name = concat(name, '!') where name regexp '^[a-z]$'",
  'delete from part partition (p0, p1, p2, p3) where id > 0',
  'delete from shop.setting where shop.setting.value <> 0',
  "delete from setting where (name, value) in (('a', 1), ('b', 2), ('c', 3))",
  'delete from setting where exists (select 1 from feed where feed.id >= setting.value)',
  'delete from setting where name = binary name',
  'delete from setting where value xor 0',
  'delete from setting where row_count() is not null and name = name',
  'show status where wiping()',
  'show status where variable_name in (select wiping())',
  'show status where variable_name in (select name from hidden_wipe)',
  'show columns from setting where wiping()',
  'show tables where wiping()',
  'delete from setting order by name limit 99',
  'update setting set value = 0 order by name limit 18446744073709551615',
  'delete from isam order by id limit 1',
  'alter table setting engine = myisam',
  'alter table setting engine aria',
  'alter table setting add column x int, engine = csv',
  'alter ignore table logged add column one int default 1, add unique (one)',
  'alter table part exchange partition p0 with table feed',
  'analyze delete from setting where value > 0',
  'analyze format=json update setting set value = 0 where value > 0',
  "execute immediate 'delete from setting where value > 0'",
  'begin not atomic delete from setting where value > 0; end',
  'values (wiping())',
  'select * from feed where wiping() limit 1',
  'select count(*) from audit having wiping()',
  'call adding_more(wiping())',
  'with r as (select wiping() as n) select * from r',
  'delete counter from setting as counter where counter.value > 0',
  'update counter as setting, setting as counter set counter.value = 0 where counter.value > 0',
  'update setting s join (select name from setting) d using (name) set s.value = 0',
  'update (select name from setting) d, setting s set s.value = 0 where s.name = d.name',
  'delete s from setting s natural left join counter where s.value > 0',
  'delete from .setting where value > 0',
  'delete from l, s using logged as l join setting as s where l.id > 0',
  "update chain_a set code = 'x' where code = 'a'",
  "delete from chain_a where code = 'a'",
  "delete from self_key where code = 'a'",
  'delete from pair where a = 1',
  'update pair set b = b + 10 where a = 1',
  'call flushing()',
  'call flushing_first()',
  'call in_savepoint()',
  'insert into undoing values (1)',
  'replace into replaced_by values (1, 1)',
  'insert into upserting values (1)',
  'insert into odd values (1)',
  'delete from `odd name` where `a b` in (select `a b` from (select * from `odd name`) as o)',
  'replace into setting (name, value) select name, 9 from counted_view',
  'insert into customer select id, name, 0 from (select * from customer) as c on duplicate key update orders = 5',
  "update orders o left join line l on l.orders = o.id set o.total = 0, l.what = 'y' where o.id > 0",
  'delete from price order by id desc limit 1500',
  'update price set cents = -1 order by id limit 2999',
  "load data infile '/etc/passwd' replace into table setting",
  // The server groups.
  'insert into page select page, count(*) + marking() from visit group by page',
  'insert into page select page, count(*) + max(n) from visit, marking_without group by page',
  'insert into page select page, count(*) + wiping() from visit group by page',
  'insert into page_told select page, count(*) from visit group by page',
  'insert into page_upserts select page, count(*) from visit group by page',
  'insert into buyer select page, count(*) from visit group by page on duplicate key update visits = 9',
  'replace into setting select name, count(*) from setting s, visit v group by name',
  'update setting s join (select page, count(*) as n from visit group by page) v on v.page = s.value set s.value = s.value + v.n',
  'update price p join (select page, count(*) as n from visit group by page limit 2) v set p.cents = -1 where v.n > 0',
  'update buyer b join (select page, count(*) as n from visit group by page) v on v.page = b.id set b.visits = v.n',
  'update buyer b join (select page, count(*) as n from visit group by page) v on v.page = b.id set b.visits = marking() where b.id = 7',
  'delete b from buyer b join (select page, count(*) as n from visit group by page) v on v.page = b.id where v.n > 0',
  'delete b, s from buyer b join setting s join (select page, count(*) as n from visit group by page) v on v.page = b.id where b.id = 7',
  'do (select count(*) + marking() from (select page, count(*) from visit group by page) as v)',
  'delete from parted_view where id > 0',
  'update parted_view set n = 0 where id between 1 and 1001',
  // Another name would start a new count.
  'rename table setting to setting_2',
  'rename table setting to t0, counter to setting, t0 to counter',
  'alter table setting add index (value), rename to setting_2',
  'alter table setting rename as setting_2',
  // Periods and versions.
  'delete from versioned where id > 0',
  'delete history from versioned',
  'alter table versioned drop system versioning',
  "delete from period for portion of p from '2020-01-02' to '2021-01-01' where id > 0",
  "update period for portion of p from '2020-01-01' to '2021-01-01' set id = 0 where id > 0",
  // What no rollback undoes.
  'insert into isam select id, 0 from isam as o on duplicate key update n = 0',
  'replace into isam values (1, 0), (2, 0), (3, 0)',
  'replace delayed into isam values (1, 0), (2, 0), (3, 0)',
  'update setting s, isam i set i.n = 0 where s.name = "a" and i.id > 0',
  'update memory set n = 0 where id > 0',
  // An equality on a column without a key can match any number of rows.
  'delete from is2 where v = 0',
  'update is2 set v = 1 where v = 0',
  'delete from is2 where v in (0, 1)',
  'delete from is2 where u = 0',
  'delete from is2 where a = 1',
  'delete from is2 where a in (1, 2, 3) and b in (1, 2, 3, 4, 5, 6, 7)',
  'delete from is2_turned where id = 0',
  'update h2 set v = 5 where id = 1',
  'update h3 set v = 5 where id = 0',
  'select fis()',
  'call hidden_key(7)',
  'call hidden_key_too()',
  'select hidden_key_by_function(7)',
  'call hidden_part(7)',
  'update h5 set v = 5 where id = 1',
  'call pis()',
  'insert into to_isam values (1)',
  // Keys, triggers and code.
  'delete from customer where id = 7',
  'update customer set id = 1007 where id = 7',
  "replace into customer values (7, 'x', 0)",
  "insert into customer values (7, 'c', 0) on duplicate key update id = 1007",
  'delete from on_delete where id = 1',
  'replace into on_delete values (1)',
  'insert into one_by_one values (1)',
  'insert into by_procedure values (1)',
  "insert into audit (what) values ('x') returning wiping()",
  'insert into audit set what = wiping()',
  'delete from cart where id = 1 returning wiping()',
  'insert into cart (id) values (1) on duplicate key update item = wiping()',
  'do wiping()',
  'set statement foreign_key_checks = 0 for delete from customer where id > 0',
  '/*!50000 delete from setting where value > 0 */',
];

/** Each runs without asking. */
export const honest: readonly string[] = [
  'delete from cart where id = 1',
  'insert into audit (what) select seq from seq_1_to_5000',
  "insert into customer (id, name) values (100, 'new')",
  'update price set cents = cents + 1 where id <= 500',
  'insert into price select seq, 7 from seq_2801_to_3100 on duplicate key update cents = 7',
  'update price p join feed f on f.id = p.id set p.cents = f.cents where f.cents > 0',
  'update price p, feed f set p.cents = f.cents + 1 where f.id = p.id',
  'delete p from price p join feed f on f.id = p.id where f.cents > 0',
  'delete from orders where id = 5',
  'delete from customer where id = 9',
  "insert into setting values ('a', 5) on duplicate key update value = 5",
  "replace into setting values ('a', 6)",
  'update logged set n = n + 1 where id <= 20',
  'insert into logged values (51, 1), (52, 1)',
  'delete from part where id = 3',
  'update part set n = 5 where id in (4, 5)',
  'update cheap set price = 3 where id = 5',
  'update isam set n = 5 where id = 1',
  'update is2 set v = 5 where id = 2',
  'delete from is2 where id in (3, 4)',
  "update is2 set v = 6 where u = 'u5' and v = 0",
  'delete from is2 where a = 1 and b in (6, 7)',
  'update h4 set v = 1 where id = 1',
  "update setting set value = 0 where name = 'nothing'",
  "update setting set value = 0 where name = 'a'",
  'delete from tree where id = 4',
  'call adding()',
  'update customer set id = 500 where id = 11',
  'delete from price where id in (select id from feed)',
  "delete from country where code = 'de'",
  'update made set n = 9 where id = 2',
  'insert into two_keys select seq, seq from seq_100_to_2000',
  'replace into two_keys values (1, 50)',
  "update view_of_view set value = 8 where name = 'a'",
  "delete from counted_view where name = 'c'",
  'update orders set total = 7 where id in (6, 7)',
  // A partition counts its rows twice.
  'delete from parted_view where id <= 600',
  'update parted_view set n = 0 where id between 1000 and 1399',
  // The server groups.
  'insert into page select page, count(*) from visit group by page',
  'insert into page select page + 600, count(*) from visit where page < 250 group by page on duplicate key update visits = 0',
  'insert into page select page, count(*) from visit where page < 250 group by page on duplicate key update visits = 0',
  'insert into page select 5000 + page, count(*) + marking_nothing() from visit where page < 9 group by page',
  'update price p join (select page, count(*) as n from visit group by page) v on v.page = p.id set p.cents = v.n where p.id = 7',
  'update buyer b join (select page, count(*) as n from visit group by page) v on v.page = b.id set b.visits = v.n where b.id = 7',
  'delete v from visit v join (select page, count(*) as n from visit group by page) g on g.page = v.page where v.page = 7',
  // A shop's day.
  "insert into customer (id, name, orders) values (101, 'new', 1) on duplicate key update orders = orders + 1",
  "update customer set name = 'renamed', orders = orders + 1 where id = 12 and orders >= 0",
  'insert into orders (customer, total) values (12, 5), (12, 6), (13, 7)',
  'insert into orders (customer, total) select customer, total from (select customer, total from orders limit 60) as o',
  'update orders join customer on customer.id = orders.customer set orders.total = 0 where customer.id = 14',
  'delete from line where orders = 15',
  'delete orders from orders left join customer on customer.id = orders.customer where orders.id in (31, 32)',
  'update price set cents = 9 where id in (select id from (select id from price where cents > 20 limit 50) as p)',
  'update note set customer = null where id = 1',
  'delete from audit where id = 1',
  'delete from feed order by id limit 2',
  'update feed set cents = cents + 1 limit 3',
  "insert ignore into setting values ('a', 5), ('d', 5)",
  'update feed set cents = cents - 1 where id between 3 and 12 order by id limit 5',
  'create table archive as select * from orders where id < 20',
  'alter table price add column seen datetime',
  'create index by_cents on price (cents)',
];
