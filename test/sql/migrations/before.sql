-- What is there before each migration: an application's tables with rows in them, and an empty one that had some.
create table users (id bigserial primary key, email varchar(100) not null, name text, created_at timestamptz not null default now());
create table authors (id bigserial primary key, name text not null);
create table books (id bigserial primary key, title varchar(200) not null, author_id bigint references authors (id), price numeric(10, 2), data jsonb not null default '{}');
create table orders (id bigserial primary key, user_id bigint references users (id), status text not null default 'new', amount numeric(10, 2), placed timestamptz not null default now());
create table jobs (id bigserial primary key, payload jsonb);
create table events (id bigint, placed date not null) partition by range (placed);
create table events_2026_01 partition of events for values from ('2026-01-01') to ('2026-02-01');
create type mood as enum ('sad', 'ok');
insert into users (email, name) select 'u' || g || '@example.org', 'u' || g from generate_series(1, 50) g;
insert into authors (name) select 'a' || g from generate_series(1, 10) g;
insert into books (title, author_id, price) select 'b' || g, 1 + g % 10, g from generate_series(1, 100) g;
insert into orders (user_id, amount) select 1 + g % 50, g from generate_series(1, 500) g;
insert into events select g, '2026-01-05' from generate_series(1, 20) g;
insert into jobs (payload) values ('{}');
truncate jobs;
