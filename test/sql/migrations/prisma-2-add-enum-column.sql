CREATE TYPE "Plan" AS ENUM ('FREE', 'PAID');
ALTER TABLE "users" ADD COLUMN "plan" "Plan" NOT NULL DEFAULT 'FREE', ADD COLUMN "bio" TEXT;
ALTER TYPE "mood" ADD VALUE 'happy';
CREATE INDEX "users_plan_idx" ON "users"("plan");
