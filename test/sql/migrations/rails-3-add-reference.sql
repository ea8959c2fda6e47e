ALTER TABLE "orders" ADD "book_id" bigint;
CREATE INDEX "index_orders_on_book_id" ON "orders" ("book_id");
ALTER TABLE "orders" ADD CONSTRAINT "fk_rails_85ebd4afa7" FOREIGN KEY ("book_id") REFERENCES "books" ("id");
