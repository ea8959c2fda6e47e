CREATE TABLE IF NOT EXISTS "public"."flyway_schema_history" ("installed_rank" INT NOT NULL, "version" VARCHAR(50), "description" VARCHAR(200) NOT NULL, "type" VARCHAR(20) NOT NULL, "script" VARCHAR(1000) NOT NULL, "checksum" INTEGER, "installed_by" VARCHAR(100) NOT NULL, "installed_on" TIMESTAMP NOT NULL DEFAULT now(), "execution_time" INTEGER NOT NULL, "success" BOOLEAN NOT NULL);
ALTER TABLE "public"."flyway_schema_history" ADD CONSTRAINT "flyway_schema_history_pk" PRIMARY KEY ("installed_rank");
CREATE INDEX "flyway_schema_history_s_idx" ON "public"."flyway_schema_history" ("success");
CREATE SEQUENCE invoice_seq START WITH 1 INCREMENT BY 50;
CREATE TABLE invoice (id bigint NOT NULL DEFAULT nextval('invoice_seq'), order_id bigint NOT NULL REFERENCES orders (id) ON DELETE CASCADE, total numeric(12, 2) NOT NULL, CONSTRAINT invoice_pk PRIMARY KEY (id), CONSTRAINT total_positive CHECK (total >= 0));
ALTER SEQUENCE invoice_seq OWNED BY invoice.id;
