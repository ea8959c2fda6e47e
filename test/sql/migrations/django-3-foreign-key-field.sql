ALTER TABLE "orders" ADD COLUMN "author_id" bigint NULL CONSTRAINT "orders_author_id_9c1d2e3f_fk_authors_id" REFERENCES "authors"("id") DEFERRABLE INITIALLY DEFERRED;
SET CONSTRAINTS "orders_author_id_9c1d2e3f_fk_authors_id" IMMEDIATE;
CREATE INDEX "orders_author_id_9c1d2e3f" ON "orders" ("author_id");
