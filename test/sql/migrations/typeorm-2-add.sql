ALTER TABLE "users" ADD "isActive" boolean NOT NULL DEFAULT true;
ALTER TABLE "users" ADD "profile" jsonb;
ALTER TABLE "users" ADD "score" double precision NOT NULL DEFAULT '0';
ALTER TABLE "orders" ADD "shippedAt" TIMESTAMP WITH TIME ZONE;
ALTER TABLE "orders" ADD "labels" text array NOT NULL DEFAULT '{}';
CREATE INDEX "IDX_orders_shipped" ON "orders" ("shippedAt") WHERE "shippedAt" IS NOT NULL;
ALTER TABLE "books" ADD "version" integer NOT NULL DEFAULT '1';
COMMENT ON COLUMN "books"."version" IS 'Optimistic lock';
CREATE VIEW "active_users" AS SELECT "id", "email" FROM "users" WHERE "isActive";
