ALTER TABLE "books" ADD "published_at" timestamp(6);
ALTER TABLE "books" ADD "featured" boolean DEFAULT FALSE NOT NULL;
ALTER TABLE "books" ADD "tags" character varying[] DEFAULT '{}';
CREATE INDEX CONCURRENTLY "index_books_on_published_at" ON "books" ("published_at");
COMMENT ON COLUMN "books"."featured" IS 'On the front page';
