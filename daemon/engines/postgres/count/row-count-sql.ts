/**
 * The questions to a PostgreSQL server about the rows that a statement changed. Texts alone;
 * row-count.ts asks them.
 */

import { rollsBack } from '../../../guard/postgres/lookup-parts.ts';
import type { Parameter } from '../../engine.ts';
import type { Statement } from '../wire/round-trip.ts';

/**
 * Asked before the statement, under a search path that a role may have bent: so without operators.
 * Newer relations are the statement's own.
 */
export const countedBefore: Statement = {
  sql: `
SELECT CAST(pg_catalog.json_build_object('newest', (SELECT pg_catalog.max(c.oid) FROM pg_catalog.pg_class AS c),
  'counts', COALESCE((SELECT pg_catalog.json_agg(pg_catalog.json_build_array(t.oid, t.updated, t.deleted, t.inserted)) FROM (
    SELECT c.oid, pg_catalog.pg_stat_get_xact_tuples_updated(c.oid) AS updated, pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) AS deleted,
      pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid) AS inserted
    FROM pg_catalog.pg_class AS c WHERE pg_catalog.chareq(c.relkind, 'r') OFFSET 0
  ) AS t WHERE pg_catalog.int8gt(pg_catalog.int8pl(pg_catalog.int8pl(t.updated, t.deleted), t.inserted), 0)), CAST('[]' AS pg_catalog.json))) AS pg_catalog.text)`,
  parameters: [],
  isKept: true,
};

/**
 * The first transaction number of a step of several; null outside of steps, and for the first. Each
 * runs behind a savepoint, whose own number comes later than those that the transaction holds.
 */
export const since = `CAST(NULLIF(current_setting('sallyport.since', true), '') AS int8)`;
export const beginStep = `SELECT set_config('sallyport.since', (
  SELECT CAST(txid_current_if_assigned() - min(age(l.transactionid)) + 1 AS text) FROM pg_lock_status() AS l
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'), true)`;
export const stepSavepoint = 'SAVEPOINT sallyport_step';

/**
 * The same before a later step of one transaction, under our search path. What the steps before it
 * locked stays locked, and isn't the step's own doing.
 */
export const countedBeforeStep = `
SELECT CAST(json_build_object('newest', CAST($1 AS int8),
  'counts', COALESCE((SELECT json_agg(json_build_array(t.oid, t.updated, t.deleted, t.inserted)) FROM (
    SELECT c.oid, pg_stat_get_xact_tuples_updated(c.oid) AS updated, pg_stat_get_xact_tuples_deleted(c.oid) AS deleted,
      pg_stat_get_xact_tuples_inserted(c.oid) AS inserted
    FROM pg_class AS c WHERE c.relkind = 'r' OFFSET 0
  ) AS t WHERE t.updated + t.deleted + t.inserted > 0), CAST('[]' AS json)),
  'held', COALESCE((SELECT json_agg(json_build_array(CAST(l.relation AS int8), CAST(c.relfilenode AS int8), l.mode))
    FROM pg_lock_status() AS l LEFT JOIN pg_class AS c ON c.oid = l.relation
    WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.mode IN ('AccessExclusiveLock', 'RowExclusiveLock')
    AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())), CAST('[]' AS json))) AS text)`;

/** `pg_temp` is named, and last: otherwise a temporary table `pg_class` would come first. */
export const keepPath = `SELECT pg_catalog.set_config('sallyport.search_path', pg_catalog.current_setting('search_path'), true),
pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)`;
export const restorePath = `SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('sallyport.search_path'), true)`;

/**
 * Locks last until the transaction ends. They show what was truncated or dropped, which leaves no
 * count, and which sequences moved.
 */
const countedAfter = `
WITH RECURSIVE given AS (
  SELECT CAST($1 AS json) AS before,
    txid_current_if_assigned() AS whole,
    CAST(CAST(mod(COALESCE(${since}, txid_current_if_assigned()), 4294967296) AS text) AS xid) AS own
), before AS (
  SELECT CAST(b.value ->> 0 AS oid) AS oid, CAST(b.value ->> 1 AS int8) AS updated, CAST(b.value ->> 2 AS int8) AS deleted,
    CAST(b.value ->> 3 AS int8) AS inserted
  FROM given AS g CROSS JOIN LATERAL json_array_elements(g.before -> 'counts') AS b (value)
), changed AS (
  SELECT n.oid, GREATEST(n.updated - COALESCE(b.updated, 0), 0) AS updated, GREATEST(n.deleted - COALESCE(b.deleted, 0), 0) AS deleted,
    GREATEST(n.inserted - COALESCE(b.inserted, 0), 0) AS inserted
  FROM (
    SELECT c.oid, pg_stat_get_xact_tuples_updated(c.oid) AS updated, pg_stat_get_xact_tuples_deleted(c.oid) AS deleted,
      pg_stat_get_xact_tuples_inserted(c.oid) AS inserted
    FROM pg_class AS c, given AS g WHERE c.relkind = 'r' AND c.relpersistence <> 't'
    AND c.relnamespace <> CAST('pg_catalog' AS regnamespace) AND c.oid <= CAST(g.before ->> 'newest' AS oid) OFFSET 0
  ) AS n LEFT JOIN before AS b ON b.oid = n.oid WHERE n.updated + n.deleted + n.inserted > COALESCE(b.updated + b.deleted + b.inserted, 0)
), above (changed, oid) AS (
  SELECT oid, oid FROM changed UNION SELECT a.changed, i.inhparent FROM above AS a JOIN pg_inherits AS i ON i.inhrelid = a.oid
), counted AS (
  SELECT a.oid, CAST(sum(c.updated) AS int8) AS updated, CAST(sum(c.deleted) AS int8) AS deleted,
    CAST(sum(c.inserted) AS int8) AS inserted
  FROM above AS a JOIN changed AS c ON c.oid = a.changed JOIN pg_class AS r ON r.oid = a.oid WHERE NOT r.relispartition GROUP BY a.oid
), earlier AS (
  SELECT CAST(b.value ->> 0 AS oid) AS oid, CAST(b.value ->> 1 AS oid) AS relfilenode, b.value ->> 2 AS mode
  FROM given AS g CROSS JOIN LATERAL json_array_elements(g.before -> 'held') AS b (value)
), held AS (
  SELECT l.relation AS oid, l.mode, c.relkind, c.relpersistence, c.relfilenode, c.xmin AS version,
    n.nspname || '.' || c.relname AS name
  FROM pg_lock_status() AS l LEFT JOIN pg_class AS c ON c.oid = l.relation LEFT JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation'
  AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
)
SELECT CAST(json_build_object(
  'isCounting', current_setting('track_counts') = 'on',
  'own', (SELECT own FROM given), 'transaction', (SELECT CAST(whole AS text) FROM given),
  'tables', COALESCE((SELECT json_agg(json_build_object('name', n.nspname || '.' || c.relname, 'sql', format('%I.%I', n.nspname, c.relname),
      'updated', t.updated, 'deleted', t.deleted,
      'mayLook', has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'),
      'isSmall', c.relkind = 'r' AND NOT c.relhassubclass AND pg_relation_size(c.oid) <= 8388608 AND NOT row_security_active(c.oid)) ORDER BY n.nspname, c.relname)
    FROM counted AS t JOIN pg_class AS c ON c.oid = t.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE t.updated + t.deleted > 0), CAST('[]' AS json)),
  'added', COALESCE((SELECT json_agg(json_build_object('oid', CAST(t.oid AS int8), 'name', n.nspname || '.' || c.relname, 'rows', t.inserted))
    FROM counted AS t JOIN pg_class AS c ON c.oid = t.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE t.inserted > 0), CAST('[]' AS json)),
  'foreign', COALESCE((SELECT json_agg(json_build_object('name', h.name, 'rollsBack', ${rollsBack('h.oid')}) ORDER BY h.name)
    FROM held AS h WHERE h.relkind = 'f' AND (h.mode = 'RowExclusiveLock' OR CAST($2 AS bool) AND h.mode = 'AccessExclusiveLock')), CAST('[]' AS json)),
  'isForeignAlone', NOT EXISTS (SELECT FROM held AS h WHERE h.mode = 'RowExclusiveLock' AND (h.relkind IS NULL OR h.relkind NOT IN ('f', 'v', 'S')
    OR EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = h.oid) OR EXISTS (SELECT FROM pg_inherits AS i WHERE i.inhrelid = h.oid)
    OR EXISTS (SELECT FROM pg_rewrite AS w WHERE w.ev_class = h.oid AND w.ev_type <> '1'))),
  'lost', COALESCE((SELECT json_agg(h.name) FROM held AS h, given AS g WHERE CAST($2 AS bool) AND h.mode = 'AccessExclusiveLock'
    AND h.oid <= CAST(g.before ->> 'newest' AS oid)
    AND (h.relkind IS NULL OR h.relkind IN ('r', 'p', 'm') AND h.relpersistence <> 't' AND age(h.version) <= age(g.own))
    AND NOT EXISTS (SELECT FROM earlier AS e WHERE e.oid = h.oid AND e.mode = h.mode AND e.relfilenode IS NOT DISTINCT FROM h.relfilenode)), CAST('[]' AS json)),
  'defers', EXISTS (SELECT FROM held AS h JOIN pg_trigger AS t ON t.tgrelid = h.oid
    WHERE h.mode = 'RowExclusiveLock' AND t.tgdeferrable AND NOT t.tgisinternal),
  'rows', (SELECT sum(GREATEST(pg_stat_get_xact_tuples_inserted(h.oid) + pg_stat_get_xact_tuples_updated(h.oid)
      + pg_stat_get_xact_tuples_deleted(h.oid) - COALESCE(b.inserted + b.updated + b.deleted, 0), 0))
    FROM held AS h LEFT JOIN before AS b ON b.oid = h.oid WHERE h.mode = 'RowExclusiveLock' AND h.relkind = 'r'),
  'hasWritten', EXISTS (SELECT FROM held AS h WHERE h.mode = 'RowExclusiveLock' AND h.relkind = 'r'
    AND NOT EXISTS (SELECT FROM earlier AS e WHERE e.oid = h.oid AND e.mode = h.mode)),
  'showsLocks', EXISTS (SELECT FROM held),
  'sequences', COALESCE((SELECT json_agg(DISTINCT h.name) FROM held AS h WHERE h.relkind = 'S' AND h.relpersistence <> 't'
    AND h.mode = 'RowExclusiveLock'), CAST('[]' AS json))
) AS text)`;

/**
 * @param before the result of `countedBefore`.
 * @param definesNothing false for DDL, which locks tables exclusively by right.
 */
export function askCounts(before: string, definesNothing: boolean): readonly Statement[] {
  const ours = (sql: string, parameters: readonly Parameter[] = []) => ({ sql, parameters, isKept: true });
  return [ours(keepPath), ours(countedAfter, [before, String(definesNothing)]), ours(restorePath)];
}

interface LookedAt {
  /** Quoted, with its schema. */
  readonly sql: string;
  /** True if it is small enough to count its own rows, and no policy hides any. */
  readonly isSmall: boolean;
}

/**
 * One row per table: its place, whether a row is unchanged, how many rows there are (0, 1, 2 or
 * more) and, for a small table, how many of them the transaction made. Policies may run here, so
 * the session's search path applies and no operator is named.
 */
export function askTables(tables: readonly LookedAt[], own: string): Statement {
  const isOwn = `pg_catalog.int4le(pg_catalog.age(t.xmin), pg_catalog.age(CAST('${own}' AS pg_catalog.xid)))`;
  const questions = tables.map(({ sql, isSmall }, place) => {
    const isUnchanged = `EXISTS (SELECT FROM ${sql} AS t WHERE NOT ${isOwn})`;
    const rows = `(SELECT pg_catalog.count(*) FROM (SELECT FROM ${sql} LIMIT 2) AS t)`;
    const made = isSmall ? `(SELECT pg_catalog.count(*) FROM ${sql} AS t WHERE ${isOwn})` : 'NULL';
    return `SELECT CAST(pg_catalog.json_build_array(${place}, ${isUnchanged}, ${rows}, ${made}) AS pg_catalog.text)`;
  });
  return { sql: questions.join('\nUNION ALL '), parameters: [] };
}
