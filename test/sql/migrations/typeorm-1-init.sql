CREATE TABLE "migrations" ("id" SERIAL NOT NULL, "timestamp" bigint NOT NULL, "name" character varying NOT NULL, CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY ("id"));
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
CREATE TYPE "public"."customer_role_enum" AS ENUM('admin', 'editor', 'ghost');
CREATE TABLE "customer" ("id" uuid NOT NULL DEFAULT uuid_generate_v4(), "firstName" character varying NOT NULL, "role" "public"."customer_role_enum" NOT NULL DEFAULT 'ghost', "createdAt" TIMESTAMP NOT NULL DEFAULT now(), CONSTRAINT "PK_a7a13f4cacb744524e44dfdad32" PRIMARY KEY ("id"));
CREATE TABLE "photo" ("id" SERIAL NOT NULL, "url" character varying NOT NULL, "customerId" uuid, CONSTRAINT "REL_a7a13f4cacb744524e44dfdad3" UNIQUE ("customerId"), CONSTRAINT "PK_723fa50bf70dcfd06fb5a44d4ff" PRIMARY KEY ("id"));
CREATE INDEX "IDX_9797611044ac3d6a3a1a4e33a1" ON "photo" ("url") ;
ALTER TABLE "photo" ADD CONSTRAINT "FK_a7a13f4cacb744524e44dfdad32" FOREIGN KEY ("customerId") REFERENCES "customer"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
CREATE UNIQUE INDEX "IDX_65e72f4cacb744524e44dfdad3" ON "customer" ("firstName", "role") ;
INSERT INTO "migrations"("timestamp", "name") VALUES (1764300000000, 'Init1764300000000');
