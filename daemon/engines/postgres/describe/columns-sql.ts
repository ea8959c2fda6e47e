/** The columns of relation c, as part of the query behind `describeTables`. */

import { collation, isSince18, list, sequenceOptions, stateOfConstraint, wrapperOptions } from './catalog-parts.ts';

const isArray = (type: string) => `(${type}.typelem <> 0 AND ${type}.typlen = -1)`;

/**
 * What the type demands, and what is below it: a domain may be over a domain, an array of domains,
 * and so on. NOT NULL of an array's elements says nothing about the column.
 */
const demands = `CASE WHEN t.typtype IN ('d', 'e') OR ${isArray('t')} THEN (
    WITH RECURSIVE below (id, depth, "inArray") AS (
      SELECT t.oid, 0, false
      UNION ALL
      SELECT CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.typelem END, b.depth + 1, b."inArray" OR y.typtype <> 'd'
      FROM below AS b JOIN pg_catalog.pg_type AS y ON y.oid = b.id WHERE y.typtype = 'd' OR ${isArray('y')})
    SELECT pg_catalog.json_build_object(
      'labels', (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM below AS b JOIN pg_catalog.pg_enum AS e ON e.enumtypid = b.id),
      'checks', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', k.conname,
          'expression', pg_catalog.pg_get_expr(k.conbin, 0, true), 'state', ${stateOfConstraint}) ORDER BY b.depth, k.conname)
        FROM below AS b JOIN pg_catalog.pg_constraint AS k ON k.contypid = b.id AND k.contype = 'c'),
      'notNull', (SELECT pg_catalog.bool_or(y.typnotnull) FROM below AS b JOIN pg_catalog.pg_type AS y ON y.oid = b.id WHERE NOT b."inArray"))) END`;

/** Before PostgreSQL 18 there is none. */
const notNullRule = `CASE WHEN a.attnotnull AND ${isSince18} THEN (SELECT pg_catalog.json_build_object('state', ${stateOfConstraint}, 'isValid', k.convalidated,
      'quoted', CASE WHEN k.conname <> pg_catalog.concat(c.relname, '_', a.attname, '_not_null') THEN pg_catalog.quote_ident(k.conname) END,
      'definition', pg_catalog.concat('CONSTRAINT ', pg_catalog.quote_ident(k.conname), ' ', pg_catalog.pg_get_constraintdef(k.oid, true)))
    FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'n' AND a.attnum = ANY (k.conkey)) END`;

export const columns = list(
  `pg_catalog.json_build_object(
    'name', a.attname,
    'quoted', pg_catalog.quote_ident(a.attname),
    'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'isReadable', pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT'),
    'notNull', a.attnotnull,
    'notNullRule', ${notNullRule},
    'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
    'identity', a.attidentity,
    'identityOptions', CASE WHEN a.attidentity <> '' THEN (SELECT ${sequenceOptions} FROM pg_catalog.pg_depend AS own
      JOIN pg_catalog.pg_sequence AS q ON q.seqrelid = own.objid
      WHERE own.refobjid = a.attrelid AND own.refobjsubid = a.attnum AND own.deptype = 'i'
        AND own.classid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)) END,
    'generated', a.attgenerated,
    'isLocal', a.attislocal,
    'ofParent', CASE WHEN up.attnum IS NOT NULL THEN pg_catalog.json_build_object(
      'notNull', up.attnotnull, 'default', pg_catalog.pg_get_expr(above.adbin, above.adrelid)) END,
    'collation', ${collation('a.attcollation', 't.typcollation')},
    'foreignOptions', ${wrapperOptions('a.attfdwoptions')},
    'comment', pg_catalog.col_description(a.attrelid, a.attnum),
    'domainDefault', CASE WHEN t.typtype = 'd' THEN pg_catalog.pg_get_expr(t.typdefaultbin, 0) END,
    'demands', ${demands})`,
  `FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_catalog.pg_inherits AS h ON c.relispartition AND h.inhrelid = c.oid
    LEFT JOIN pg_catalog.pg_attribute AS up ON up.attrelid = h.inhparent AND up.attname = a.attname
    LEFT JOIN pg_catalog.pg_attrdef AS above ON above.adrelid = up.attrelid AND above.adnum = up.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`,
  'a.attnum',
);
