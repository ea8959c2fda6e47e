create schema if not exists "analytics";
create view "postgres"."analytics"."stg_orders" as (select id, user_id, amount, placed::date as day from "postgres"."public"."orders");
create table "postgres"."analytics"."fct_orders" as (select * from "postgres"."analytics"."stg_orders");
create temporary table "fct_orders__dbt_tmp" as (select * from "postgres"."analytics"."stg_orders" where day > '2026-01-01');
insert into "postgres"."analytics"."fct_orders" ("id", "user_id", "amount", "day") (select "id", "user_id", "amount", "day" from "postgres"."analytics"."stg_orders" where id > 1000000);
alter table "postgres"."analytics"."fct_orders" add column "channel" text;
