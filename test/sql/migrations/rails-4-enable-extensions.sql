CREATE EXTENSION IF NOT EXISTS "pgcrypto" SCHEMA public;
CREATE EXTENSION IF NOT EXISTS "citext";
CREATE TABLE "devices" ("id" uuid DEFAULT gen_random_uuid() NOT NULL PRIMARY KEY, "name" citext NOT NULL, "settings" jsonb DEFAULT '{}' NOT NULL);
CREATE UNIQUE INDEX "index_devices_on_name" ON "devices" ("name");
CREATE INDEX "index_devices_on_settings" ON "devices" USING gin ("settings");
