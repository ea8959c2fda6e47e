CREATE TABLE events_2026_02 PARTITION OF events FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE INDEX events_placed ON events (placed);
ALTER TABLE orders SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE orders ALTER COLUMN status SET STATISTICS 500;
