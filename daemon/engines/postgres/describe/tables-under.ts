/**
 * The tables under relation `c`: its partitions and the children that inherit from it. They hold
 * its rows too; those that add no column are listed as part of it.
 */

/**
 * The relation and all below it, as `below.id`. Recursive, because `pg_partition_tree` knows no
 * children by inheritance.
 */
const tree = `WITH RECURSIVE below (id) AS (
    SELECT c.oid UNION SELECT h.inhrelid FROM pg_catalog.pg_inherits AS h JOIN below ON h.inhparent = below.id)`;

/**
 * The tables with rows of their own. A partitioned table has none, and may still have a count of
 * its partitions' rows.
 */
const leaves = `FROM below JOIN pg_catalog.pg_class AS leaf ON leaf.oid = below.id WHERE leaf.relkind IN ('r', 'm', 'f')`;

/**
 * `reltuples` is -1 if nobody has counted. If only empty tables of a tree were counted, nobody
 * knows.
 */
export const rowsOfTree = `CASE
  WHEN c.relkind NOT IN ('r', 'p', 'm', 'f') THEN NULL
  WHEN c.relhassubclass THEN (${tree} SELECT CASE WHEN pg_catalog.bool_or(leaf.reltuples < 0)
      THEN nullif(pg_catalog.sum(leaf.reltuples) FILTER (WHERE leaf.reltuples > 0), 0) ELSE pg_catalog.sum(leaf.reltuples) END ${leaves})
  WHEN c.reltuples >= 0 AND c.relkind <> 'p' THEN c.reltuples END`;

export const bytesOfTree = `CASE
  WHEN c.relkind IN ('r', 'p') AND c.relhassubclass THEN (${tree} SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(leaf.oid)) ${leaves})
  WHEN c.relkind IN ('r', 'm') THEN pg_catalog.pg_total_relation_size(c.oid) END`;

/**
 * True for a child that is a partition in all but name, like the chunks of TimescaleDB or of
 * triggers.
 */
const addsNoColumn = (child: string): string => `NOT EXISTS (SELECT FROM pg_catalog.pg_attribute AS own
    WHERE own.attrelid = ${child}.oid AND own.attnum > 0 AND NOT own.attisdropped AND own.attinhcount = 0)`;

/** True for a relation `c` that is listed with the table above it, for which `whole` is true. */
export const isPartOf = (whole: string): string => `(EXISTS (
    SELECT FROM pg_catalog.pg_inherits AS i JOIN pg_catalog.pg_class AS whole ON whole.oid = i.inhparent
    WHERE i.inhrelid = c.oid AND ${whole})
  AND (c.relispartition OR c.relkind IN ('r', 'f') AND ${addsNoColumn('c')}))`;

/** How many partitions it has, directly. */
export const partitionCount = `CASE WHEN c.relkind = 'p' THEN (
    SELECT pg_catalog.count(*) FROM pg_catalog.pg_inherits AS part WHERE part.inhparent = c.oid) END`;

const children = `FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS child ON child.oid = h.inhrelid
    WHERE h.inhparent = c.oid AND c.relkind IN ('r', 'f') AND ${addsNoColumn('child')}`;

/** How many children add no column; null for none. */
export const childCount = `CASE WHEN c.relkind IN ('r', 'f') AND c.relhassubclass THEN nullif((SELECT pg_catalog.count(*) ${children}), 0) END`;

/** The first of them by name. */
export const firstChild = (qualified: string): string =>
  `CASE WHEN c.relkind IN ('r', 'f') AND c.relhassubclass THEN (SELECT ${qualified} ${children} ORDER BY child.relname LIMIT 1) END`;
