/**
 * Statements that define something on MySQL or MariaDB: those known to keep what exists, one for
 * each entry of the list, and those that ask. `in_use` and similar tables have rows; `waiting` is
 * empty, and somebody else's.
 */

export interface Definition {
  readonly sql: string;
  /** The only server that has it; left out if both do. */
  readonly on?: 'mysql' | 'mariadb';
}

const both = (...statements: readonly string[]): Definition[] => statements.map(sql => ({ sql }));
const onMysql = (...statements: readonly string[]): Definition[] => statements.map(sql => ({ sql, on: 'mysql' }));
const onMariadb = (...statements: readonly string[]): Definition[] => statements.map(sql => ({ sql, on: 'mariadb' }));

export const setUp = `drop database if exists defs; create database defs; use defs;
create table parent (id int primary key, name varchar(20));
insert into parent values (1, 'one'), (2, 'two');
create table in_use (id int primary key auto_increment, name varchar(20), state enum('new', 'paid'), total decimal(10,2) default 5, p int not null default 1,
  unique key by_name (name), key by_total (total), constraint positive check (total > 0));
insert into in_use (name, state) values ('a', 'new'), ('b', 'paid'), ('c', 'new');
create table doubled (id int primary key, net int, gross int as (net * 2) stored);
insert into doubled (id, net) values (1, 5), (2, 6);
create table parted (id int primary key) partition by range (id) (partition p0 values less than (10), partition p1 values less than (20));
insert into parted values (1), (11);
create table hashed (id int primary key) partition by hash (id) partitions 4;
insert into hashed values (1), (2), (3);
create table feed like in_use;
create view seen as select id, name from in_use;
create table waiting (id int primary key, p int);
create table described (id int primary key) comment = 'owner: billing';
create table isam (id int primary key, body text, fulltext key (body)) engine = MyISAM;
create table narrow (c varchar(100), r varchar(100) not null, d varchar(20) not null default 'x', e varchar(20) default 'it''s', n varchar(20) not null default 'NULL',
  l varchar(50) character set ascii, t varchar(20) comment 'x', o varchar(20) as (concat(c, 'x')) stored, u varchar(30) not null, unique (u));
insert into narrow (c, r, l, u) values ('a', 'b', 'c', 'd');`;

/** In this order. Each runs without asking and leaves what exists as it was. */
export const keeping: readonly Definition[] = [
  ...both(
    'create table made (id int primary key, name varchar(20), p int, key (name), foreign key (p) references parent (id) on delete cascade)',
    'create table if not exists made (id int)',
    'create table made_like like in_use',
    'create table made_as as select id, name from in_use',
    "create table made_engine (id int) engine = InnoDB comment = 'x'",
    'create table made_isam (id int) engine myisam',
    'create temporary table made_temporary (id int)',
    'create view made_view as select id from in_use',
    'create algorithm = merge sql security invoker view made_view_2 as select id from in_use',
    'create database defs_made character set utf8mb4',
    'create schema if not exists defs_made',
    'create index made_index on in_use (state, total)',
    'create index made_prefix on in_use (name(5))',
    'create fulltext index made_text on in_use (name)',
    'alter table in_use add column a1 int',
    "alter table in_use add a2 varchar(20) not null default 'x' after name",
    'alter table in_use add column a3 datetime default current_timestamp on update current_timestamp, add column a4 timestamp null first',
    'alter table in_use add column (a5 int unsigned, a6 decimal(10,2) default -1.5)',
    "alter table in_use add column a7 enum('a', 'b') character set utf8mb4 collate utf8mb4_bin default 'a' comment 'x'",
    "alter table in_use add column a8 longtext default ('x'), add column a9 double precision null, add column a10 json",
    'alter table in_use add column a11 bigint unsigned not null default 0, add index by_a11 (a11)',
    'alter table in_use add key by_a1 (a1), algorithm = inplace, lock = none',
    'alter table in_use add fulltext key text_2 (name, a2)',
    "alter table in_use comment = 'drop table in_use'",
    'alter table in_use force',
    'alter table in_use engine = InnoDB, stats_persistent = 1 stats_auto_recalc = 1 stats_sample_pages = 20',
    'alter table narrow modify c varchar(200)',
    'alter table narrow modify column c varchar(200) null default null, change r r varchar(300) not null',
    "alter table narrow modify d varchar(255) not null default 'x', modify u varchar(60) not null",
    'alter table in_use disable keys',
    'alter table in_use enable keys',
    'alter table parted add partition (partition p2 values less than (30))',
    'alter table parted analyze partition p0',
    'alter table parted check partition all',
    'alter table parted optimize partition p0',
    'alter table parted rebuild partition p0',
    'alter table hashed coalesce partition 2',
    // What this client made is its own, with rows and without.
    'create table fresh (id int primary key auto_increment, name varchar(20) not null, p int, j text)',
    "insert into fresh (name, p) values ('a', 1)",
    'create unique index fresh_name on fresh (name)',
    'alter table fresh add constraint fresh_p foreign key (p) references parent (id) on delete cascade on update cascade',
    "alter table fresh add unique key (p, name), add check (name <> '')",
    'optimize table fresh',
    'alter table fresh add column needed int not null',
    'alter table fresh add column twice int as (p * 2)',
  ),
  ...onMysql(
    'create table made_vector (id int, v vector(3))',
    'alter table in_use add column hidden int invisible',
    'alter table in_use add column place point srid 4326',
    'alter table in_use add column l json default (json_array())',
    'alter table fresh add index by_half ((p * 2))',
    'alter table in_use add column va int, with validation',
  ),
  ...onMariadb(
    'create sequence made_sequence start with 5',
    'alter table in_use add column a12 char(36) default (uuid())',
    'alter online table parent add column o1 int',
    'alter table if exists in_use wait 5 add column if not exists o2 int',
    'alter table in_use nowait add column o3 uuid',
    'alter table in_use add index if not exists by_o2 (o2), algorithm = nocopy',
    'create table if not exists made_versioned (id int) with system versioning',
  ),
];

/** Each is refused until a person approves it, and leaves every definition as it was. */
export const asking: readonly Definition[] = [
  ...both(
    // A name or a row gets another meaning.
    'alter table in_use rename column name to name_2',
    'alter table in_use rename column name to total_2, rename column total to name',
    'alter table in_use rename to other',
    'alter table in_use rename index by_total to by_sum',
    'rename table in_use to other',
    "alter table in_use modify state enum('paid', 'new')",
    "alter table in_use change state state enum('new', 'paid', 'lost')",
    'alter table doubled modify gross int as (0) stored',
    'alter table doubled modify column gross int generated always as (net * 3) stored',
    'alter table in_use convert to character set latin1',
    'alter table in_use order by name',
    'alter view seen as select 1 as id, 2 as name',
    'create or replace view seen as select 1 as id, 2 as name',
    'create or replace table in_use (id int)',
    // Defaults.
    'alter table in_use alter column total set default null',
    'alter table in_use alter total set default 7',
    'alter table in_use alter column total drop default',
    'alter table in_use default character set latin1',
    'alter database defs character set latin1',
    'alter table in_use auto_increment = 2147483647',
    'alter table in_use auto_increment 99, add column z int',
    // Constraints on other programs' writes.
    'alter table in_use add constraint boom foreign key (p) references parent (id) on delete cascade',
    'alter table in_use add column s int not null default 1, add constraint boom foreign key (s) references parent (id) on delete cascade',
    'alter table in_use add foreign key (p) references parent (id)',
    'alter table in_use add check (total < 6)',
    'alter table in_use add constraint boom check (name is not null)',
    'alter table in_use add unique (state, name)',
    'alter table in_use add unique index boom (name, id)',
    'create unique index boom on in_use (name, id)',
    'alter table in_use add column needed int not null',
    'alter table in_use add column needed varchar(5) not null, add index (needed)',
    'alter table in_use add column one int unique',
    'alter table in_use add column twice int as (total * 2)',
    'alter table in_use add column twice int generated always as (1 / total) virtual',
    'alter table in_use add column checked int check (checked > 0)',
    'alter table in_use add column e int default (1 / 0)',
    'alter table in_use add column e varchar(50) default (concat(uuid(), 1))',
    'alter table parted partition by hash (id)',
    'alter table parted remove partitioning',
    'alter table parted reorganize partition p1 into (partition p1 values less than (20))',
    'alter table parted truncate partition p0',
    'alter table parted drop partition p0',
    'alter table in_use drop constraint positive',
    'alter table in_use drop index by_total',
    "alter table in_use add column j json default ('x')",
    'alter table in_use add column j json default (uuid())',
    "alter table in_use add column j int default ('x')",
    'alter table in_use add column j tinyint default (300)',
    "alter table in_use add column j varchar(1) default ('xyz')",
    "alter table in_use add column j text character set latin1 default ('ж')",
    'alter table in_use add column FTS_DOC_ID bigint unsigned not null default 0',
    // A column gets longer, and more.
    'alter table narrow modify c varchar(50)',
    'alter table narrow modify c varchar(200) not null',
    "alter table narrow modify c varchar(200) default 'x'",
    "alter table narrow modify c varchar(200) comment 'x'",
    'alter table narrow modify c varchar(200) first',
    'alter table narrow modify c varbinary(200)',
    'alter table narrow modify c varchar(200) character set latin1',
    'alter table narrow modify r varchar(200)',
    'alter table narrow modify d varchar(200) not null',
    "alter table narrow modify d varchar(200) not null default 'X'",
    "alter table narrow modify e varchar(200) default 'it''s'",
    'alter table narrow modify n varchar(200) not null',
    'alter table narrow modify l varchar(200)',
    'alter table narrow modify t varchar(200)',
    'alter table narrow modify o varchar(200)',
    'alter table narrow change c r2 varchar(200)',
    'alter table narrow modify none varchar(200)',
    'alter table in_use modify state varchar(200)',
    // What others read or find in it.
    "alter table described comment = 'x'",
    "alter table described force, comment ''",
    'alter table isam engine = InnoDB',
    'alter table isam disable keys',
    // Rows move elsewhere, or can't be restored.
    'alter table in_use engine = myisam',
    'alter table in_use discard tablespace',
    'create table merged (id int) engine = merge union = (feed) insert_method = last',
    'create table merged (id int) engine mrg_myisam',
    'create table hole (id int) engine = blackhole',
    'alter table parted exchange partition p0 with table hashed',
    // Code that runs later.
    "create trigger boom before delete on in_use for each row insert into parent values (9, 'x')",
    'create event boom on schedule every 1 day do delete from in_use',
    'create procedure boom() delete from in_use',
    'create function boom() returns int return 1',
    // Statements that no server has yet.
    'alter table in_use frobnicate',
    'alter table in_use add widget policy',
    'alter table in_use add column w widget',
    'alter table in_use add column w int frobnicated',
    'alter table in_use add column a int, frobnicate column name',
    'alter table in_use widget = 5',
    'alter table in_use force frobnicated',
    'alter table in_use lock = frobnicated',
    'alter table in_use enable widgets',
    'alter widget table in_use add column a int',
    'create widget table w (id int)',
    'create widget index w on in_use (id)',
    'create widget view w as select 1',
    'alter tablespace ts rename to ts2',
  ),
  ...onMysql(
    'alter table in_use alter check positive not enforced',
    'alter table in_use alter check positive enforced',
    'alter table in_use alter index by_total invisible',
    'alter table in_use alter column name set invisible',
    'alter table in_use add index boom ((cast(name as unsigned)))',
    'alter table in_use rename key by_total to by_sum',
    'alter table in_use secondary_engine = rapid',
    "create json duality view w as select json_duality_object('_id': id) from in_use",
    "create spatial reference system 990001 name 'x' definition 'GEOGCS[\"x\"]'",
  ),
  ...onMariadb(
    'alter table in_use alter index by_total ignored',
    'alter table in_use add system versioning',
    'alter table narrow add column k varchar(10) check (k <> 1), modify c varchar(300)',
    'alter table checked modify k varchar(200)',
    'alter table in_use add period for p (a, b)',
    'alter sequence counted restart 1',
    'alter sequence counted maxvalue 5000',
    'select setval(counted, 5000)',
    'select * from (select setval(counted, 5000)) d',
    'insert into counted values (5000, 1, 9000, 1, 1, 1000, 0, 0)',
    'create or replace sequence counted',
    'alter ignore table in_use add unique (state)',
  ),
];
