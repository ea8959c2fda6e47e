-- A small shop, and what its owner wrote for it: functions without a mark, so volatile to the catalog.
create type order_status as enum ('open', 'paid', 'sent');
create domain email_address as citext check (value ~ '@');
create table customers(customer text primary key, email citext, profile jsonb default '{}', attributes hstore);
create table orders(id serial primary key, customer text, amount numeric(10, 2) check (amount >= 0), status order_status default 'open', placed timestamptz default now());
create table lines(order_id int references orders(id), item int, qty int);
create function is_paid(n numeric) returns bool language plpgsql as $$ declare r bool; begin execute format('select %s > 0', n) into r; return r; end $$;
create table payments(order_id int references orders(id), paid numeric check (is_paid(paid)));
create index on customers using gin (customer gin_trgm_ops);
create index on orders (lower(customer));
insert into customers(customer, email, profile, attributes) values ('ann', 'ann@example.org', '{"city": "Bonn", "tags": ["a"]}', 'size=>m'), ('bob', 'bob@example.org', '{}', null);
insert into orders(customer, amount) values ('ann', 10), ('ann', 20), ('bob', 30); insert into lines values (1, 1, 2), (2, 1, 3);
create function net_of(numeric) returns numeric language sql as 'select round($1 / 1.19, 2)';
create function gross_of(a numeric) returns numeric language plpgsql as 'begin return round(a * 1.19, 2); end';
create function order_total(o orders) returns numeric language sql as 'select o.amount + coalesce((select sum(qty) from lines where order_id = o.id), 0)';
create function total_of(p_id int) returns numeric language plpgsql as $$
  declare r record; total numeric := 0; o orders%rowtype; n lines.qty%type;
  begin
    select * into o from orders where id = p_id;
    if not found then return null; end if;
    for r in select qty from lines where order_id = p_id loop total := total + coalesce(r.qty, 0); end loop;
    select count(*) into n from lines;
    return total + order_total(o);
  end $$;
create function get_report(country text) returns table (customer text, total numeric) language plpgsql as $$
  begin
    return query select o.customer, sum(o.amount) from orders o group by o.customer;
    raise notice 'report for %', country;
  end $$;
create function best_customer() returns text language plpgsql set search_path = public as $$
  begin return (select o.customer from orders o group by o.customer order by sum(amount) desc limit 1); exception when others then return null; end $$;
create function recent_orders(days int) returns setof orders language sql as 'select * from orders where placed > now() - make_interval(days => days)';
create function status_label(s order_status) returns text language plpgsql as 'begin case s when ''open'' then return ''Open''; else return initcap(s::text); end case; end';
create view monthly_sales as select date_trunc('month', placed) as month, sum(amount) as total, sum(net_of(amount)) as net from orders group by 1;
create view sales_of_sales as select * from monthly_sales;
create table visits(customer text, at timestamptz default now());
create function log_visit(text) returns void language sql as 'insert into visits(customer) values ($1)';
create procedure close_orders() language plpgsql as $$ begin update orders set status = 'sent' where status = 'paid'; commit; end $$;
create table events(id int, placed date) partition by range (placed);
create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01'); insert into events values (5, '2024-05-05');
create table mine(id serial, who name default current_user, note text); insert into mine(note) values ('n');
create function is_mine(name) returns bool language sql stable as 'select $1 = current_user';
create policy own on mine using (is_mine(who)); alter table mine enable row level security;
create function stamp() returns trigger language plpgsql as 'begin new.note := coalesce(new.note, '''') || now(); delete from visits where at < now() - interval ''1 year''; return new; end';
create trigger stamp before update on mine for each row execute function stamp();
grant all on all tables in schema public to advowner, app; grant all on all sequences in schema public to advowner, app;
alter table customers owner to advowner; alter table orders owner to advowner; alter table lines owner to advowner; alter table mine owner to advowner;
