/**
 * What migrations of well-known tools send to SQLite, in those tools' own spelling, in order, on
 * one file in use: `users` and `posts` have rows. Each lists which statements ask.
 */

import type { Migration } from './migrations-mysql-statements.ts';

export const inUse = `
create table users (id integer primary key autoincrement not null, email varchar not null, name varchar, legacy integer);
insert into users (email, name) values ('a@x', 'a'), ('b@x', 'b');
create table posts (id integer primary key autoincrement not null, user_id integer not null, title varchar not null, body text);
insert into posts (user_id, title) values (1, 'x'), (2, 'y');`;

export const migrations: readonly Migration[] = [
  {
    tool: 'Rails',
    does: 'makes a table with an index and a reference',
    statements: [
      'CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY)',
      'CREATE TABLE "comments" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "post_id" integer NOT NULL, "text" text, "created_at" datetime(6) NOT NULL, CONSTRAINT "fk_rails_2fd19c0db7" FOREIGN KEY ("post_id") REFERENCES "posts" ("id"))',
      'CREATE INDEX "index_comments_on_post_id" ON "comments" ("post_id")',
      'CREATE UNIQUE INDEX "index_comments_on_text" ON "comments" ("text")',
      'INSERT INTO "schema_migrations" (version) VALUES (\'20261101100000\')',
    ],
    ask: [],
  },
  {
    tool: 'Rails',
    does: 'adds columns and an index',
    statements: [
      'ALTER TABLE "users" ADD "time_zone" varchar',
      'ALTER TABLE "users" ADD "admin" boolean DEFAULT 0 NOT NULL',
      'CREATE INDEX "index_users_on_name" ON "users" ("name")',
    ],
    ask: [],
  },
  {
    tool: 'Rails',
    does: 'makes e-mail addresses unique',
    statements: ['CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email")'],
    ask: ['CREATE UNIQUE'],
  },
  {
    tool: 'Rails',
    does: 'changes a column, for which it makes the table anew',
    statements: [
      'CREATE TEMPORARY TABLE "aposts" ("id" integer NOT NULL PRIMARY KEY, "title" varchar)',
      'CREATE TABLE "bposts" ("id" integer NOT NULL PRIMARY KEY, "user_id" integer NOT NULL, "title" text NOT NULL, "body" text)',
      'INSERT INTO "bposts" ("id", "user_id", "title", "body") SELECT "id", "user_id", "title", "body" FROM "posts"',
      'DROP TABLE "posts"',
      'ALTER TABLE "bposts" RENAME TO "posts"',
    ],
    ask: ['DROP TABLE', 'ALTER TABLE "bposts" RENAME'],
  },
  {
    tool: 'Django',
    does: 'makes tables and relates them',
    statements: [
      'CREATE TABLE "blog_author" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL, "email" varchar(254) NOT NULL UNIQUE)',
      'CREATE TABLE "blog_entry" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "headline" varchar(255) NOT NULL, "rating" integer unsigned NOT NULL CHECK ("rating" >= 0), "author_id" bigint NOT NULL REFERENCES "blog_author" ("id") DEFERRABLE INITIALLY DEFERRED)',
      'CREATE TABLE "blog_entry_tags" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "entry_id" bigint NOT NULL REFERENCES "blog_entry" ("id") DEFERRABLE INITIALLY DEFERRED, "tag_id" bigint NOT NULL)',
      'CREATE INDEX "blog_entry_author_id_4a5b" ON "blog_entry" ("author_id")',
      'CREATE UNIQUE INDEX "blog_entry_tags_entry_id_tag_id_uniq" ON "blog_entry_tags" ("entry_id", "tag_id")',
    ],
    ask: [],
  },
  {
    tool: 'Django',
    does: 'adds a field that may be empty, and one that refers to another table',
    statements: [
      'ALTER TABLE "users" ADD COLUMN "bio" varchar(200) NULL',
      'ALTER TABLE "users" ADD COLUMN "author_id" bigint NULL REFERENCES "blog_author" ("id") DEFERRABLE INITIALLY DEFERRED',
      'CREATE INDEX "users_author_id_1b2c" ON "users" ("author_id")',
    ],
    ask: [],
  },
  {
    tool: 'Django',
    does: 'adds a field with a default, for which it makes the table anew',
    statements: [
      'CREATE TABLE "new__users" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "email" varchar NOT NULL, "plan" varchar(20) NOT NULL)',
      'INSERT INTO "new__users" ("id", "email", "plan") SELECT "id", "email", \'free\' FROM "users"',
      'DROP TABLE "users"',
      'ALTER TABLE "new__users" RENAME TO "users"',
    ],
    ask: ['DROP TABLE', 'ALTER TABLE "new__users" RENAME'],
  },
  {
    tool: 'Prisma',
    does: 'makes two models and their relation',
    statements: [
      'CREATE TABLE "User" (\n    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,\n    "email" TEXT NOT NULL,\n    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP\n)',
      'CREATE TABLE "Post" (\n    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,\n    "authorId" INTEGER NOT NULL,\n    CONSTRAINT "Post_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User" ("id") ON DELETE RESTRICT ON UPDATE CASCADE\n)',
      '-- CreateIndex\nCREATE UNIQUE INDEX "User_email_key" ON "User"("email")',
      '-- AlterTable\nALTER TABLE "posts" ADD COLUMN "score" REAL DEFAULT 0',
    ],
    ask: [],
  },
  {
    tool: 'Flyway',
    does: 'makes its history, a table, a view and an index on words',
    statements: [
      'CREATE TABLE "flyway_schema_history" ("installed_rank" INT NOT NULL PRIMARY KEY, "version" VARCHAR(50), "installed_on" TEXT NOT NULL DEFAULT (strftime(\'%Y-%m-%d %H:%M:%f\',\'now\')), "success" BOOLEAN NOT NULL)',
      'CREATE INDEX "flyway_schema_history_s_idx" ON "flyway_schema_history" ("success")',
      'CREATE TABLE IF NOT EXISTS invoice (id INTEGER PRIMARY KEY, amount NUMERIC NOT NULL CHECK (amount > 0))',
      'CREATE VIEW IF NOT EXISTS titles AS SELECT id, title FROM posts',
      "CREATE VIRTUAL TABLE words USING fts5(title, content='posts', content_rowid='id')",
      "INSERT INTO words(words) VALUES ('rebuild')",
      'UPDATE posts SET score = 1 WHERE id = 2',
    ],
    ask: [],
  },
  {
    tool: 'dbt',
    does: 'builds a model in the place of the old one',
    statements: [
      'create table "by_user" as select user_id, count(*) as n from posts group by user_id',
      'drop table if exists "by_user"',
      'create table "by_user" as select user_id, count(*) as n from posts group by user_id',
      'create view "stg_posts" as select id, title from posts',
    ],
    ask: ['drop table'],
  },
];
