/**
 * The part of `takenQuestion` on tables that use what a statement changes or drops: through columns
 * of a type, domain, collation or extension, defaults from a sequence, constraints, indexes and
 * triggers that call a function. Dependants are followed up to a table; what depends on that table
 * keeps its rows.
 */

const catalog = (name: string): string => `CAST(CAST('pg_catalog.${name}' AS pg_catalog.regclass) AS pg_catalog.oid)`;
const relation = catalog('pg_class');
const type = catalog('pg_type');

/** A part of a table: its own dependants change nothing of other tables' rows. */
const ends = ['pg_attrdef', 'pg_constraint', 'pg_policy', 'pg_rewrite', 'pg_statistic_ext', 'pg_trigger']
  .map(name => `r.classid <> ${catalog(name)}`)
  .join(' AND ');

/** Parts of tables, with the table and the column that they are of. */
const parts: readonly (readonly [classid: string, oid: string, table: string, column?: string])[] = [
  ['pg_attrdef', 'oid', 'adrelid', 'adnum'],
  ['pg_constraint', 'oid', 'conrelid'],
  ['pg_index', 'indexrelid', 'indrelid'],
  ['pg_policy', 'oid', 'polrelid'],
  ['pg_rewrite', 'oid', 'ev_class'],
  ['pg_statistic_ext', 'oid', 'stxrelid'],
  ['pg_trigger', 'oid', 'tgrelid'],
];
const noColumn = 'CAST(0 AS pg_catalog.int4)';

/** A part of the question's WITH; it stands after `seed`, `touched` and `fallen`. */
export const reached = `, reached (classid, objid, objsubid, rootclass, root) AS (
  SELECT s.classid, s.objid, s.objsubid, s.classid, s.objid FROM seed AS s WHERE s.objid IS NOT NULL
  UNION SELECT t.classid, t.objid, t.objsubid, t.classid, t.objid FROM touched AS t WHERE t.act = 'altered'
  UNION
  SELECT next.classid, next.objid, next.objsubid, r.rootclass, r.root FROM reached AS r CROSS JOIN LATERAL (
    SELECT d.classid, d.objid, d.objsubid FROM pg_catalog.pg_depend AS d
    WHERE d.refclassid = r.classid AND d.refobjid = r.objid AND (r.objsubid = 0 OR d.refobjsubid = r.objsubid) AND ${ends}
    AND (r.classid <> ${relation} OR EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = r.objid AND (c.relkind = 'S' OR c.relkind = 'c')))
    UNION ALL
    SELECT ${type}, c.reltype, 0 FROM pg_catalog.pg_class AS c WHERE r.classid = ${relation} AND c.oid = r.objid AND c.reltype <> CAST(0 AS pg_catalog.oid)
    AND (c.relkind = 'c' OR r.classid = r.rootclass AND r.objid = r.root)
    UNION ALL
    SELECT ${type}, k.contypid, 0 FROM pg_catalog.pg_constraint AS k WHERE r.classid = ${catalog('pg_constraint')} AND k.oid = r.objid
    AND k.contypid <> CAST(0 AS pg_catalog.oid)
  ) AS next
), uses (oid, attnum, rootclass, root) AS (
  SELECT r.objid, r.objsubid, r.rootclass, r.root FROM reached AS r WHERE r.classid = ${relation} AND (r.classid <> r.rootclass OR r.objid <> r.root)
  ${parts
    .map(
      ([name, oid, table, column]) =>
        `UNION SELECT p.${table}, ${column === undefined ? noColumn : `CAST(p.${column} AS pg_catalog.int4)`}, r.rootclass, r.root FROM reached AS r
    JOIN pg_catalog.${name} AS p ON p.${oid} = r.objid WHERE r.classid = ${name === 'pg_index' ? relation : catalog(name)}`,
    )
    .join('\n  ')}
), used (oid, of, columns) AS (
  SELECT u.oid, pg_catalog.min(pg_catalog.pg_describe_object(u.rootclass, u.root, 0)),
    COALESCE(pg_catalog.json_agg(DISTINCT a.attname) FILTER (WHERE a.attname IS NOT NULL), CAST('[]' AS pg_catalog.json))
  FROM uses AS u LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = u.oid AND a.attnum = u.attnum AND a.attnum > CAST(0 AS pg_catalog.int2) AND NOT a.attisdropped
  GROUP BY u.oid
`;
