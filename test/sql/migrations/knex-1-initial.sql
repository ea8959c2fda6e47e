create table "knex_migrations" ("id" serial primary key, "name" varchar(255), "batch" integer, "migration_time" timestamptz);
create table "knex_migrations_lock" ("index" serial primary key, "is_locked" integer);
create table "accounts" ("id" serial primary key, "email" varchar(255) not null, "settings" jsonb not null default '{}', "created_at" timestamptz not null default CURRENT_TIMESTAMP, "updated_at" timestamptz not null default CURRENT_TIMESTAMP);
alter table "accounts" add constraint "accounts_email_unique" unique ("email");
create table "projects" ("id" serial primary key, "account_id" integer not null, "name" varchar(255) not null, "is_public" boolean not null default '0', "budget" decimal(10, 2) null);
alter table "projects" add constraint "projects_account_id_foreign" foreign key ("account_id") references "accounts" ("id") on delete CASCADE;
create index "projects_name_index" on "projects" ("name");
alter table "projects" add constraint "projects_budget_check" check ("budget" >= 0);
insert into "knex_migrations" ("batch", "migration_time", "name") values (1, '2026-11-28 10:00:00', '001_initial.js');
