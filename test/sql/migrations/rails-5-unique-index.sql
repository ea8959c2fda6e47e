CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email");
ALTER TABLE "users" ALTER COLUMN "name" SET NOT NULL;
