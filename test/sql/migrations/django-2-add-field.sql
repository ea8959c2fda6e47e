ALTER TABLE "books" ADD COLUMN "isbn" varchar(13) NULL;
ALTER TABLE "books" ADD COLUMN "stock" integer DEFAULT 0 NOT NULL CHECK ("stock" >= 0);
ALTER TABLE "books" ALTER COLUMN "stock" DROP DEFAULT;
CREATE INDEX "books_isbn_1a2b3c4d" ON "books" ("isbn");
CREATE INDEX "books_isbn_1a2b3c4d_like" ON "books" ("isbn" varchar_pattern_ops);
