CREATE TABLE "schema_migrations" ("version" character varying NOT NULL PRIMARY KEY);
CREATE TABLE "ar_internal_metadata" ("key" character varying NOT NULL PRIMARY KEY, "value" character varying, "created_at" timestamp(6) NOT NULL, "updated_at" timestamp(6) NOT NULL);
CREATE TABLE "articles" ("id" bigserial primary key, "title" character varying NOT NULL, "body" text, "author_id" bigint NOT NULL, "created_at" timestamp(6) NOT NULL, "updated_at" timestamp(6) NOT NULL, CONSTRAINT "fk_rails_e74ce85cbc" FOREIGN KEY ("author_id") REFERENCES "authors" ("id"));
CREATE INDEX "index_articles_on_author_id" ON "articles" ("author_id");
INSERT INTO "schema_migrations" ("version") VALUES ('20260105120000') RETURNING "version";
