ALTER TABLE users ADD COLUMN last_seen TIMESTAMP WITHOUT TIME ZONE;
ALTER TABLE users ADD COLUMN login_count INTEGER DEFAULT '0' NOT NULL;
ALTER TABLE orders ADD COLUMN currency CHAR(3) DEFAULT 'EUR' NOT NULL;
CREATE INDEX ix_users_last_seen ON users (last_seen);
CREATE INDEX CONCURRENTLY ix_orders_currency ON orders (currency);
COMMENT ON COLUMN users.last_seen IS 'UTC';
ALTER TABLE books ADD COLUMN search tsvector GENERATED ALWAYS AS (to_tsvector('english', title)) STORED;
CREATE INDEX ix_books_search ON books USING gin (search);
ALTER TYPE mood ADD VALUE 'happy';
