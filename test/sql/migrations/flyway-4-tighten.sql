ALTER TABLE orders ADD CONSTRAINT amount_positive CHECK (amount >= 0) NOT VALID;
ALTER TABLE orders VALIDATE CONSTRAINT amount_positive;
ALTER TABLE orders ALTER COLUMN status SET DEFAULT 'pending';
ALTER TABLE books RENAME COLUMN title TO name;
