alter table "users" add column "phone" varchar(32) null, add column "verified" boolean not null default '0';
create index "users_phone_index" on "users" ("phone");
alter table "books" add column "isbn" char(13);
alter table "books" add constraint "books_isbn_unique" unique ("isbn");
create table "tags" ("id" serial primary key, "label" text not null);
create table "book_tags" ("book_id" bigint, "tag_id" integer, constraint "book_tags_pkey" primary key ("book_id", "tag_id"));
alter table "book_tags" add constraint "book_tags_book_id_foreign" foreign key ("book_id") references "books" ("id");
alter table "book_tags" add constraint "book_tags_tag_id_foreign" foreign key ("tag_id") references "tags" ("id");
alter table "users" alter column "phone" type text;
