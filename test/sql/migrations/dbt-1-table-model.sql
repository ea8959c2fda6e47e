create schema if not exists "analytics";
create table "postgres"."analytics"."dim_users__dbt_tmp" as (select id as user_id, email, created_at from "postgres"."public"."users");
create index if not exists "b1c3d5e7f9" on "postgres"."analytics"."dim_users__dbt_tmp" using btree (user_id);
alter table "postgres"."analytics"."dim_users__dbt_tmp" rename to "dim_users";
drop table if exists "postgres"."analytics"."dim_users__dbt_backup" cascade;
