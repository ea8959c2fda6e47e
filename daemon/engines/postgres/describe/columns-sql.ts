/** The columns of relation c, as part of the query behind `describeTables`. */

import { collation, list, sequenceOptions, wrapperOptions } from './catalog-parts.ts';

/** The base type of a domain or array: the labels of an enum are what the column accepts. */
const labels = `CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = base.oid) THEN ARRAY(
      SELECT CAST(e.enumlabel AS pg_catalog.text) FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = base.oid ORDER BY e.enumsortorder) END`;

/** For an array the type of its elements; for a domain over another that one's checks too. */
const checks = `CASE WHEN element.typtype = 'd' THEN (
      SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', k.conname, 'expression', pg_catalog.pg_get_expr(k.conbin, 0, true)) ORDER BY k.conname)
      FROM pg_catalog.pg_constraint AS k WHERE k.contypid IN (element.oid, base.oid) AND k.contype = 'c') END`;

export const columns = list(
  `pg_catalog.json_build_object(
    'name', a.attname,
    'quoted', pg_catalog.quote_ident(a.attname),
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'notNull', a.attnotnull,
    'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
    'identity', a.attidentity,
    'identityOptions', CASE WHEN a.attidentity <> '' THEN (SELECT ${sequenceOptions} FROM pg_catalog.pg_depend AS own
      JOIN pg_catalog.pg_sequence AS q ON q.seqrelid = own.objid
      WHERE own.refobjid = a.attrelid AND own.refobjsubid = a.attnum AND own.deptype = 'i'
        AND own.classid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)) END,
    'generated', a.attgenerated,
    'ofParent', CASE WHEN up.attnum IS NOT NULL THEN pg_catalog.json_build_object(
      'notNull', up.attnotnull, 'default', pg_catalog.pg_get_expr(above.adbin, above.adrelid)) END,
    'collation', ${collation('a.attcollation', 't.typcollation')},
    'foreignOptions', ${wrapperOptions('a.attfdwoptions')},
    'comment', pg_catalog.col_description(a.attrelid, a.attnum),
    'labels', ${labels},
    'checks', ${checks})`,
  `FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_type AS element ON element.oid = CASE WHEN t.typelem <> 0 AND t.typlen = -1 THEN t.typelem ELSE t.oid END
    JOIN pg_catalog.pg_type AS base ON base.oid = CASE WHEN element.typbasetype <> 0 THEN element.typbasetype ELSE element.oid END
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_catalog.pg_inherits AS h ON c.relispartition AND h.inhrelid = c.oid
    LEFT JOIN pg_catalog.pg_attribute AS up ON up.attrelid = h.inhparent AND up.attname = a.attname
    LEFT JOIN pg_catalog.pg_attrdef AS above ON above.adrelid = up.attrelid AND above.adnum = up.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
  'a.attnum',
);
