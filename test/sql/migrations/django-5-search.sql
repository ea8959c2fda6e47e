CREATE EXTENSION IF NOT EXISTS "unaccent";
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE INDEX "books_title_trgm" ON "books" USING gin ("title" gin_trgm_ops);
ALTER TABLE "books" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce("title", ''))) STORED;
CREATE INDEX CONCURRENTLY "books_search" ON "books" USING gin ("search");
CREATE COLLATION "case_insensitive" (provider = 'icu', locale = 'und-u-ks-level2', deterministic = false);
