-- Each masked value has "m4sked" in it.
create extension if not exists pageinspect;
create schema app;
set search_path = app;
create table users (
  id serial primary key, name text, email text unique, ssn text, city text, age int, active bool default true,
  handle text generated always as (lower(email)) stored, updated_at timestamptz
);
insert into users (name, email, ssn, city, age)
  select 'name ' || i, 'm4sked' || i || '@example.org', 'm4sked-ssn-' || i, 'city ' || i % 3, 20 + i from generate_series(1, 9) i;
create index users_lower on users (lower(email));
create table orders (
  id serial primary key, user_id int references users (id) on delete cascade on update cascade,
  total numeric, note text, status text default 'new', created_at timestamptz default '2026-01-01'
);
insert into orders (user_id, total, note) select 1 + i % 9, i * 10, 'note ' || i from generate_series(1, 30) i;
create table leads (id serial primary key, email text, city text);
insert into leads (email, city) values ('lead@example.org', 'city 1');
create table accounts (id int primary key, login text, reset_token text, password_hash text, plan text);
insert into accounts values (1, 'ada', 'm4sked-token', 'm4sked-hash', 'free'), (2, 'bob', 'm4sked-token2', 'm4sked-hash2', 'pro');
create table events (id int, kind text, secret_payload text) partition by range (id);
create table events_one partition of events for values from (0) to (100);
create table events_two partition of events for values from (100) to (200);
insert into events values (1, 'a', 'm4sked-payload'), (101, 'b', 'm4sked-payload2');
create table people (id int, ssn text, label text);
create table staff (grade int) inherits (people);
insert into staff values (1, 'm4sked-staff', 'label', 3);
-- Only the child's column is masked by its name.
create table animals (id int, chip text);
create table dogs () inherits (animals);
insert into dogs values (1, 'm4sked-chip');
create table copy_to (id int, a text, b text);
create table audit (id serial, what text);

create view user_names as select id, name, city from users;
create view user_mails as select id, email as mail from users;
create view user_rows as select u from users u;
create view user_all as select * from users;
create view over_mails as select m.id, m.mail from user_mails m;
create view mail_counts as select city, count(email) as n from users group by city;
create view shown_mails as select id, email as contact from users;
create view filtered as select id, name from users where email like 'm4sked%';
create materialized view kept_mails as select id, email as kept from users;
create materialized view kept_cities as select city, count(*) as n from users group by city;
create view order_users as select o.id, o.total, u.name from orders o join users u on u.id = o.user_id;

create function mail_of(int) returns text language sql stable as 'select email from app.users where id = $1';
create function mail_of_row(u users) returns text language sql stable as 'select u.email';
create function mail_atomic(i int) returns text language sql stable begin atomic select email from users where id = i; end;
create function mail_plpgsql(i int) returns text language plpgsql stable as $$ declare found_mail text; begin select u.email into found_mail from app.users u where u.id = i; return found_mail; end $$;
create function rows_plpgsql() returns setof users language plpgsql stable as $$ begin return query select * from app.users; end $$;
create function rows_record() returns setof record language plpgsql stable as $$ declare r record; begin for r in select * from app.users loop return next r; end loop; end $$;
create function run_text(text) returns text language plpgsql as $$ declare r text; begin execute $1 into r; return r; end $$;
create function order_total(i int) returns numeric language sql stable as 'select sum(total) from app.orders where user_id = i';
create function city_of(i int) returns text language sql stable as 'select city from app.users where id = i';
create function shown_mail(int) returns text language sql stable as 'select email from app.users where id = $1';
create function label(u users) returns text language sql stable as 'select u.email || u.name';
create procedure keep_mails() language sql as 'insert into app.copy_to (id, a) select id, email from app.users';
create aggregate joined (text) (sfunc = textcat, stype = text, initcond = '');

create table touched (id int primary key, email text, note text, changed timestamptz);
insert into touched values (1, 'm4sked-touched', 'note', null);
create function log_touched() returns trigger language plpgsql as $$ begin insert into app.audit (what) values (old.email); return new; end $$;
create trigger log_touched after update on touched for each row execute function log_touched();
create table raised (id int primary key, email text, note text);
insert into raised values (1, 'm4sked-raised', 'note');
create function raise_row() returns trigger language plpgsql as $$ begin raise notice 'row %', new; return new; end $$;
create trigger raise_row before update on raised for each row execute function raise_row();
create table stamped (id int primary key, email text, note text, changed timestamptz);
insert into stamped values (1, 'm4sked-stamped', 'note', null);
create function stamp() returns trigger language plpgsql as $$ begin new.changed = now(); return new; end $$;
create trigger stamp before update on stamped for each row execute function stamp();
create table ruled (id int primary key, email text, note text);
insert into ruled values (1, 'm4sked-ruled', 'note');
create rule log_ruled as on update to ruled do also insert into audit (what) values (old.email);
create table trail (id int primary key, what text);
insert into trail values (1, null), (2, null);
create table traced (id int primary key, email text, note text);
insert into traced values (1, 'm4sked-traced', 'note');
create function trace() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then update app.trail set what = old.email where id = new.id; return new; end if;
  if tg_op = 'DELETE' then delete from app.trail where what <> old.email; return old; end if;
  insert into app.trail (id, what) values (new.id, null) on conflict (id) do update set what = new.email; return new;
end $$;
create trigger trace after insert or update or delete on traced for each row execute function trace();
create table ruled_by_update (id int primary key, email text, note text);
insert into ruled_by_update values (1, 'm4sked-ruled', 'note');
create rule log_ruled as on update to ruled_by_update do also update trail set what = old.email where trail.id = new.id;
create rule log_removed as on delete to ruled_by_update do also delete from trail where what = old.email;
create table folders (id int primary key, title text);
create table letters (folder_id int references folders (id) on delete cascade on update cascade, email text);
insert into folders values (1, 'in');
insert into letters values (1, 'm4sked-letter');
create function log_letter() returns trigger language plpgsql as $$ begin insert into app.audit (what) values (old.email); return old; end $$;
create trigger log_letter after delete or update on letters for each row execute function log_letter();
create view contacts as select id, email, lower(email) as contact from users;
create view over_contacts as select contact as c from contacts;
create materialized view kept_contacts as select * from contacts;
create table trainees (ssn_digest text generated always as (md5(ssn)) stored) inherits (staff);
create table at_first (id int, payload text) partition by range (id);
create table of_first partition of at_first for values from (0) to (9) partition by range (id);
create table of_second partition of of_first for values from (0) to (9);
create table vault (email text primary key);
insert into vault values ('m4sked-vault');
create view nested_mails as select (select s.e from app.leads l, (select u.email as e) s limit 1) as e from users u;
create function nested_mail(i int) returns text language sql stable as
  'select (select s.e from app.leads l, (select email as e) s limit 1) from app.users u where u.id = $1';
create function row_text(users) returns text language sql immutable as 'select ($1).email';
create function is_like(users, text) returns bool language sql stable as 'select $1.email like $2';
create operator ~~~ (leftarg = users, rightarg = text, function = is_like);
create cast (users as text) with function row_text (users) as assignment;
analyze;
