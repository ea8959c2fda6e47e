create table m (a text);
create table customers (id serial primary key, name text not null, email text);
insert into customers (name, email) select 'Customer ' || n, 'e' || n || '@x' from generate_series(1, 50) n;
create table orders (id serial primary key, customer_id integer not null references customers, total numeric(10, 2));
insert into orders (customer_id, total) select 1 + n % 50, n from generate_series(1, 2000) n;
create index orders_customer on orders (customer_id);
create function f_off() returns text language sql as $$ select set_config('default_transaction_read_only', 'off', false) $$;
create function f_write() returns integer language plpgsql as $$ begin insert into m values ('f'); return 1; end $$;
create function f_both() returns integer language plpgsql as $$
begin
  perform set_config('default_transaction_read_only', 'off', false);
  begin insert into m values ('f'); exception when others then null; end;
  return 1;
end $$;
create procedure p_commit() language plpgsql as $$ begin commit; set transaction read write; insert into m values ('p'); end $$;
create procedure p_off() language plpgsql as $$
begin
  perform set_config('default_transaction_read_only', 'off', false);
  commit;
  insert into m values ('p');
end $$;
create function f_set() returns integer language plpgsql as $$
begin
  perform set_config('transaction_read_only', 'off', true);
  insert into m values ('fs');
  return 1;
end $$;
create function f_set2() returns integer language plpgsql set default_transaction_read_only = off as $$
begin
  insert into m values ('fs');
  return 1;
end $$;
create view v as select f_both() as a;
create function f_stable() returns integer language plpgsql stable as $$ begin perform f_write(); return 1; end $$;
create view orders_seen as select id, total, f_write() from orders;
create schema shadow;
create function shadow.lower(text) returns text language plpgsql as $$ begin insert into public.m values ('l'); return $1; end $$;
-- Reads, as long as names mean what they say.
create function f_plain() returns text language plpgsql as $$ begin return lower('A'); end $$;
create function f_sql() returns text language sql as $$ select lower('A') $$;
create view shadow.customers as select *, public.f_write() as w from public.customers;
-- Its check runs on each value that is given for it.
create domain d_write as integer check (f_write() = value);
-- Built-in names of types, with code behind them.
create domain shadow.date as integer check (public.f_write() = value);
create domain shadow.text as pg_catalog.text check (public.f_write() = 1);
create type shadow.json as (d shadow.date);
-- Words of a later grammar.
create function json_scalar(integer) returns integer language plpgsql as $$ begin insert into public.m values ('s'); return $1; end $$;
create function json_value(text, text) returns text language plpgsql as $$ begin insert into public.m values ('v'); return $1; end $$;
create function json_array(integer) returns integer language plpgsql as $$ begin insert into public.m values ('a'); return $1; end $$;
create function json_serialize(text) returns text language plpgsql as $$ begin insert into public.m values ('s'); return $1; end $$;
create type counted as (n integer);
create function f_row() returns integer language plpgsql as $$ declare r public.counted := row(json_scalar(1)); begin return 1; end $$;
create view public.system_user as select json_scalar(1);
create function shadow.json_object(text[]) returns text language plpgsql as $$ begin insert into public.m values ('o'); return 'x'; end $$;
create function f_typed() returns integer language plpgsql as $$ declare d date := '1'; begin return 1; end $$;
create role rw login;
grant all on m to rw;
alter role rw set default_transaction_read_only = off;
-- With every right on the data, and no superuser.
create role shopper login;
grant all on all tables in schema public to shopper;
grant all on all sequences in schema public to shopper;
grant usage on schema shadow to shopper;
grant rw to shopper;
