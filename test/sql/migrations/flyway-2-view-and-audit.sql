CREATE VIEW open_orders AS SELECT o.id, u.email FROM orders o JOIN users u ON u.id = o.user_id WHERE o.status = 'new';
CREATE MATERIALIZED VIEW sales AS SELECT user_id, sum(amount) AS total FROM orders GROUP BY user_id;
CREATE UNIQUE INDEX sales_user ON sales (user_id);
ALTER TABLE orders ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();
CREATE TABLE orders_audit (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL, changed_at timestamptz NOT NULL DEFAULT now(), row_before jsonb);
CREATE STATISTICS orders_stats ON user_id, status FROM orders;
