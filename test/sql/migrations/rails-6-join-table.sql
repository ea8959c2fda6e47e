CREATE TABLE "books_users" ("book_id" bigint NOT NULL, "user_id" bigint NOT NULL);
CREATE UNIQUE INDEX "index_books_users_on_book_id_and_user_id" ON "books_users" ("book_id", "user_id");
ALTER TABLE "books_users" ADD CONSTRAINT "fk_rails_931d7a1f10" FOREIGN KEY ("book_id") REFERENCES "books" ("id") ON DELETE CASCADE;
ALTER TABLE "books_users" ADD CONSTRAINT "fk_rails_bc2b5ea4a0" FOREIGN KEY ("user_id") REFERENCES "users" ("id");
