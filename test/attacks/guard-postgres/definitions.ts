/**
 * Definitions for a server with `fixture.sql` and `doors.sql` that need an approval: they change
 * what others find, write or run later.
 */

import type { Attack } from './statements.ts';

export const definitions: readonly Attack[] = [
  // What an approved `truncate u`, or a delete in it, would take along.
  'alter table t inherit u',
  'create table zz () inherits (t)',
  'create table zz (id int primary key) inherits (u)',
  'alter table t add constraint zz foreign key (v) references u (id) on delete cascade not valid',
  'alter table u add constraint zz foreign key (id) references t (id) on delete cascade',
  'alter table t add column zz int references u (id) on delete cascade',
  'alter table t add column zz int not null default 1 references u (id) on delete cascade',
  // Names that belong to others.
  'create schema advowner',
  'create schema advowner create table t (id int primary key, name text, v int)',
  'create schema authorization advowner create view t as select 1 as id',
  'create table app.t (id int)',
  'create view app.t as select 1 as id',
  'create materialized view app.u as select 1 as id',
  'create sequence app.s',
  'create type app.t as (id int)',
  "create type app.mood as enum ('a')",
  'create domain app.mood as text',
  'create index t on app.gen (id)',
  'alter table app.gen add constraint t unique (id)',
  'create table app.zz (id int, constraint t primary key (id))',
  'select 1 as id into app.u',
  'create table app.t as select 1 as id',
  // The meaning of rows.
  'alter table app.gen alter g set expression as (0)',
  'alter table t rename column name to zz',
  "alter type mood rename value 'a' to 'zz'",
  'alter table ptab alter v type text',
  // Defaults, numbers, constraints: they act at once, or in the application's next write.
  'alter table t alter id set default null',
  'alter table t alter v set default 5',
  'alter table t alter v set not null',
  'alter table t add check (false) not valid',
  'alter table t add constraint zz unique (v)',
  'create unique index zz on t (v)',
  'create index zz on t ((1 / v))',
  "alter table t add column zz int default (case when now() > '2030-01-01' then 1 / (length(now()::text) * 0) else 1 end)",
  'alter table t replica identity nothing',
  'create publication zz for all tables',
  'create publication zz for table t',
  'alter publication changes add table t',
  'alter sequence s restart',
  'alter sequence s maxvalue 1000000',
  "select setval('s', 1, false)",
  "select setval('s', 9223372036854775807)",
  // Tables of another server.
  "create foreign table zz (id int) server elsewhere options (schema_name 'hid', table_name 'sal')",
  'import foreign schema hid from server elsewhere into app',
  // What others see, or what a crash leaves behind.
  'create or replace view vw with (security_barrier) as select * from t',
  'create unlogged table zz partition of ptab for values from (200) to (300)',
  'alter extension hstore update',
].map(sql => ({ sql }));
