/** A schema for plans on PostgreSQL, and its whole content as one text to compare. */

export const setUp = `
drop schema if exists shop cascade; drop schema if exists fresh cascade; create schema shop; set search_path = shop;
create table customers (id int primary key, name text, status text); insert into customers select g, 'n' || g, 'new' from generate_series(1, 40) as g;
create table orders (id int primary key, customer int references customers on delete cascade, total int);
insert into orders select g, g % 40 + 1, g from generate_series(1, 500) as g;
create table numbered (id serial primary key, what text); insert into numbered (what) values ('a'), ('b');
create table scratch (id int); insert into scratch select generate_series(1, 100);
create table audit (id int); insert into audit select generate_series(1, 30);
create function struck() returns trigger language plpgsql as 'begin delete from shop.audit where id <= 5; return null; end';
create trigger striking after delete on scratch for each statement execute function struck();
create type mood as enum ('calm'); create table feelings (feeling mood);
create table byday (id int, day int) partition by list (day);
create table day1 partition of byday for values in (1); create table day2 partition of byday for values in (2);
create table day3 (id int, day int); insert into byday select g, g % 2 + 1 from generate_series(1, 20) as g;
create table parents (id int primary key); insert into parents values (1), (2);
create table children (id int primary key, parent int references parents deferrable initially deferred);
create view seen as select id from scratch;
create function emptied() returns int language plpgsql as 'begin truncate shop.audit; return 1; end';
create procedure struck_out() language plpgsql as 'begin delete from shop.audit; end';
create procedure jumped() language plpgsql as 'begin perform setval(''shop.numbered_id_seq'', 1000); end';
create procedure jumped_along() language plpgsql as 'begin call shop.jumped(); end';
create procedure unread(code text) language plpgsql as 'begin execute code; end';
create function jumping() returns trigger language plpgsql as 'begin call shop.jumped(); return null; end';
create table watched (id int); insert into watched values (1);
create trigger jumping after update on watched for each statement execute function jumping();
create function broken() returns int language plpgsql as 'begin delete from shop.feelings; raise exception ''as ever''; end';
create procedure committed() language plpgsql as 'begin delete from shop.audit; commit; end';
create function tick() returns int language plpgsql as 'begin return nextval(''shop.numbered_id_seq''); end';
create function ticking() returns trigger language plpgsql as 'begin perform nextval(''shop.numbered_id_seq''); return new; end';
create function tick_always() returns event_trigger language plpgsql as 'begin perform nextval(''shop.numbered_id_seq''); end';
create function ticks(int, int) returns bool language plpgsql as 'begin return nextval(''shop.numbered_id_seq'') > 0; end';
`;

/** Tables, columns, rows, constraints, indexes, triggers, views, code, enums and settings. */
export const whole = `select string_agg(t.x, e'\\n' order by t.x) from (
  select format('%s %s', c.table_name, string_agg(c.column_name || ' ' || c.data_type || coalesce(c.column_default, ''), ',' order by c.ordinal_position)) as x
  from information_schema.columns c where c.table_schema = 'shop' group by c.table_name
  union all select format('%s %s', t.table_name, query_to_xml(format('select * from shop.%I order by 1', t.table_name), true, false, ''))
  from information_schema.tables t where t.table_schema = 'shop'
  union all select pg_get_constraintdef(c.oid) || c.conname from pg_constraint c where c.connamespace = 'shop'::regnamespace
  union all select i.indexdef from pg_indexes i where i.schemaname = 'shop'
  union all select pg_get_triggerdef(g.oid) || g.tgenabled::text from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'shop'::regnamespace and not g.tgisinternal
  union all select p.proname || p.prosrc from pg_proc p where p.pronamespace = 'shop'::regnamespace
  union all select e.enumtypid::regtype || e.enumlabel from pg_enum e
  union all select rolname || rolsuper from pg_roles union all select evtname from pg_event_trigger
  union all select nspname from pg_namespace where nspname !~ '^pg_'
  union all select 'prepared ' || gid from pg_prepared_xacts
  union all select 'advisory' from pg_locks where locktype = 'advisory') as t`;

/** What no rollback gives back. */
export const numbers = "select last_value || ' ' || is_called from shop.numbered_id_seq";
