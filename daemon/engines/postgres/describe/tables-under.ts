/**
 * What stands under a relation `c` of the catalog: its partitions, and the children that inherit
 * from it. What it holds is in them too, and where they add no column they are listed as a part of
 * it.
 */

/**
 * The relation and all below it, as `below.id`; recursive, as `pg_partition_tree` knows no children
 * by inheritance.
 */
const tree = `WITH RECURSIVE below (id) AS (
    SELECT c.oid UNION SELECT h.inhrelid FROM pg_catalog.pg_inherits AS h JOIN below ON h.inhparent = below.id)`;

/**
 * Those with rows of their own: a table that is divided has none, and once had them counted as its
 * parts'.
 */
const leaves = `FROM below JOIN pg_catalog.pg_class AS leaf ON leaf.oid = below.id WHERE leaf.relkind IN ('r', 'm', 'f')`;

/**
 * `reltuples` is -1 where nobody has counted: of a tree in which only what is empty was counted,
 * nobody knows.
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
 * Whether a child is a part of its table in all but name, as the chunks of TimescaleDB and of
 * triggers that divide are.
 */
const addsNoColumn = (child: string): string => `NOT EXISTS (SELECT FROM pg_catalog.pg_attribute AS own
    WHERE own.attrelid = ${child}.oid AND own.attnum > 0 AND NOT own.attisdropped AND own.attinhcount = 0)`;

/** Of a relation `c` that is listed with the table `whole` above it. */
export const isPartOf = (whole: string): string => `(EXISTS (
    SELECT FROM pg_catalog.pg_inherits AS i JOIN pg_catalog.pg_class AS whole ON whole.oid = i.inhparent
    WHERE i.inhrelid = c.oid AND ${whole})
  AND (c.relispartition OR c.relkind IN ('r', 'f') AND ${addsNoColumn('c')}))`;

/** How many partitions it has, directly. */
export const partitionCount = `CASE WHEN c.relkind = 'p' THEN (
    SELECT pg_catalog.count(*) FROM pg_catalog.pg_inherits AS part WHERE part.inhparent = c.oid) END`;

const children = `FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS child ON child.oid = h.inhrelid
    WHERE h.inhparent = c.oid AND c.relkind IN ('r', 'f') AND ${addsNoColumn('child')}`;

/** How many children add no column to it; null for none. */
export const childCount = `CASE WHEN c.relkind IN ('r', 'f') AND c.relhassubclass THEN nullif((SELECT pg_catalog.count(*) ${children}), 0) END`;

/** The first of them by name. */
export const firstChild = (qualified: string): string =>
  `CASE WHEN c.relkind IN ('r', 'f') AND c.relhassubclass THEN (SELECT ${qualified} ${children} ORDER BY child.relname LIMIT 1) END`;
