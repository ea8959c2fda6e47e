/**
 * The question to a PostgreSQL server about what a statement takes along with the objects that it
 * takes as a whole or changes: children, references, dependants, and tables that use them. They are
 * followed until nothing is new. It needs PostgreSQL 12 or later.
 */

import { withOperatorsQualified } from '../../../guard/postgres/lookup-parts.ts';
import type { TakenObject } from '../../count/taken.ts';
import { reached } from './reached.ts';

/** A relation that loses rows or is dropped. Partitions are counted with their table. */
export interface TakenRelation {
  readonly oid: number;
  /** `schema.name`, unquoted. */
  readonly name: string;
  /**
   * Why it is taken if the statement doesn't name it; null if it does, or nothing more is known.
   */
  readonly because: 'child' | 'reference' | 'dependant' | 'use' | null;
  /** The relation that it is a child of or refers to, or the object that it uses. */
  readonly of: string | null;
  /** Its columns that use `of`. */
  readonly columns: readonly string[];
  /**
   * `deleted` or `updated` for a foreign key that `cascade deletes` or `sets`; null if the
   * statement's own act tells.
   */
  readonly act: 'deleted' | 'updated' | 'altered' | 'rights' | null;
  /** Its name as FROM takes it, quoted and with `ONLY` if need be. */
  readonly source: string;
  /** False if this role doesn't see all rows. */
  readonly mayCount: boolean;
  readonly mayLock: boolean;
  /** How many rows the server thinks that it has; null if the server has no estimate. */
  readonly estimate: number | null;
}

export interface TakenCatalog {
  readonly relations: readonly TakenRelation[];
  readonly objects: readonly TakenObject[];
  /** Triggers that fire for the statement itself. */
  readonly triggers: readonly string[];
  /** Every relation that is taken, indexes and sequences included. */
  readonly oids: readonly number[];
}

const oid = 'pg_catalog.oid';
const catalog = (name: string): string => `CAST(CAST('pg_catalog.${name}' AS pg_catalog.regclass) AS ${oid})`;
const texts = (name: string): string => `pg_catalog.json_array_elements_text(g.taking -> '${name}')`;
const relation = catalog('pg_class');
const element = 'e.name';

/** The condition that `f` is a part of what falls; hashed, as a tree has thousands of parts. */
const isPiece = `CASE WHEN f.objsubid = 0 THEN ROW(f.classid, f.objid) = ANY (SELECT e.classid, e.objid FROM piece AS e)
  ELSE ROW(f.classid, f.objid, f.objsubid) = ANY (SELECT e.classid, e.objid, e.objsubid FROM piece AS e) END`;

/**
 * The question's parameter is a `PostgresTaking` as JSON. It gives one row with one column: a
 * `TakenCatalog` as JSON.
 */
export const takenQuestion = withOperatorsQualified(`
WITH RECURSIVE given AS (
  SELECT t.taking, t.taking ->> 'act' AS act, CAST(t.taking ->> 'cascade' AS pg_catalog.bool) AS cascades
  FROM (SELECT CAST($1 AS pg_catalog.json) AS taking) AS t
), named AS (
  SELECT CAST(pg_catalog.to_regclass(r.value ->> 'name') AS ${oid}) AS oid, CAST(r.value ->> 'only' AS pg_catalog.bool) AS alone, r.value ->> 'act' AS act
  FROM given AS g CROSS JOIN LATERAL pg_catalog.json_array_elements(g.taking -> 'relations') AS r (value)
), rows (oid, because, source, act, alone) AS (
  SELECT n.oid, CAST(NULL AS pg_catalog.text), CAST(NULL AS ${oid}),
    n.act, n.alone
  FROM named AS n CROSS JOIN given AS g WHERE n.oid IS NOT NULL AND g.act <> 'drop' AND g.act <> 'rights'
  UNION
  SELECT next.oid, next.because, r.oid, next.act, next.alone FROM rows AS r CROSS JOIN given AS g CROSS JOIN LATERAL (
    SELECT i.inhrelid AS oid, 'child' AS because, r.act, false AS alone FROM pg_catalog.pg_inherits AS i
    WHERE i.inhparent = r.oid AND NOT r.alone
    UNION ALL
    SELECT c.conrelid, 'reference', CAST(NULL AS pg_catalog.text), true FROM pg_catalog.pg_constraint AS c
    WHERE c.confrelid = r.oid AND c.contype = 'f' AND g.act = 'truncate' AND g.cascades
    UNION ALL
    SELECT c.conrelid, 'reference', CASE WHEN r.act = 'deleted' AND c.confdeltype = 'c' THEN 'deleted' ELSE 'updated' END, true
    FROM pg_catalog.pg_constraint AS c WHERE c.confrelid = r.oid AND c.contype = 'f' AND (
      r.act = 'deleted' AND c.confdeltype = ANY (CAST('{c,n,d}' AS pg_catalog.char[]))
      OR r.act = 'updated' AND c.confupdtype = ANY (CAST('{c,n,d}' AS pg_catalog.char[])))
  ) AS next
), pieces (classid, objid, objsubid) AS (
  SELECT ${relation}, n.oid, CAST(a.attnum AS pg_catalog.int4) FROM named AS n CROSS JOIN given AS g CROSS JOIN LATERAL ${texts('columns')} AS c (name)
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = n.oid AND a.attname = CAST(c.name AS pg_catalog.name) AND NOT a.attisdropped
  UNION ALL
  SELECT ${catalog('pg_constraint')}, k.oid, 0 FROM named AS n CROSS JOIN given AS g CROSS JOIN LATERAL ${texts('constraints')} AS c (name)
  JOIN pg_catalog.pg_constraint AS k ON k.conrelid = n.oid AND k.conname = CAST(c.name AS pg_catalog.name)
), owned (classid, objid, objsubid, deptype) AS (
  SELECT s.classid, s.objid, s.objsubid, s.deptype FROM given AS g CROSS JOIN LATERAL ${texts('owners')} AS r (name)
  JOIN pg_catalog.pg_roles AS o ON o.rolname = COALESCE(CAST(r.name AS pg_catalog.name), CURRENT_USER)
  JOIN pg_catalog.pg_shdepend AS s ON s.refclassid = ${catalog('pg_authid')} AND s.refobjid = o.oid AND (s.deptype = 'o' OR s.deptype = 'a')
  AND (s.dbid = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())
    OR s.dbid = CAST(0 AS ${oid}) AND (g.act = 'rights' OR s.deptype = 'a'))
), wholes (classid, objid, objsubid) AS (
  SELECT ${relation}, n.oid, 0 FROM named AS n
  UNION ALL
  SELECT ${catalog('pg_namespace')}, n.oid, 0 FROM given AS g CROSS JOIN LATERAL ${texts('schemas')} AS s (name)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = CAST(s.name AS pg_catalog.name)
  UNION ALL
  SELECT ${catalog('pg_type')}, CAST(pg_catalog.to_regtype(t.name) AS ${oid}), 0 FROM given AS g CROSS JOIN LATERAL ${texts('types')} AS t (name)
  UNION ALL
  SELECT ${catalog('pg_proc')}, p.oid, 0 FROM given AS g CROSS JOIN LATERAL pg_catalog.json_array_elements(g.taking -> 'routines') AS r (value)
  JOIN pg_catalog.pg_proc AS p ON CASE WHEN r.value ->> 'arguments' IS NULL THEN p.oid = CAST(pg_catalog.to_regproc(r.value ->> 'name') AS ${oid})
    ELSE p.oid = CAST(pg_catalog.to_regprocedure(pg_catalog.concat(r.value ->> 'name', '(', r.value ->> 'arguments', ')')) AS ${oid}) END
  UNION ALL
  SELECT p.classid, p.objid, 0 FROM given AS g CROSS JOIN LATERAL pg_catalog.json_array_elements(g.taking -> 'parts') AS n (value) CROSS JOIN LATERAL (
    SELECT ${catalog('pg_trigger')} AS classid, t.oid AS objid, t.tgrelid AS relation, t.tgname AS name FROM pg_catalog.pg_trigger AS t
    UNION ALL SELECT ${catalog('pg_rewrite')}, t.oid, t.ev_class, t.rulename FROM pg_catalog.pg_rewrite AS t
    UNION ALL SELECT ${catalog('pg_policy')}, t.oid, t.polrelid, t.polname FROM pg_catalog.pg_policy AS t
  ) AS p WHERE p.relation = CAST(pg_catalog.to_regclass(n.value ->> 'relation') AS ${oid}) AND p.name = CAST(n.value ->> 'name' AS pg_catalog.name)
  UNION ALL
  SELECT a.classid, a.objid, a.objsubid FROM given AS g CROSS JOIN LATERAL pg_catalog.json_array_elements(g.taking -> 'objects') AS o (value)
  CROSS JOIN LATERAL pg_catalog.pg_get_object_address(o.value ->> 'type', ARRAY(SELECT ${element} FROM pg_catalog.json_array_elements_text(o.value -> 'names') AS e (name)),
    ARRAY(SELECT ${element} FROM pg_catalog.json_array_elements_text(o.value -> 'arguments') AS e (name))) AS a
  UNION ALL
  SELECT o.classid, o.objid, o.objsubid FROM owned AS o WHERE o.deptype = 'o'
  UNION ALL
  SELECT a.classid, a.objid, 0 FROM given AS g CROSS JOIN LATERAL pg_catalog.json_array_elements(g.taking -> 'allIn') AS i (value)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname = CAST(i.value ->> 'schema' AS pg_catalog.name) CROSS JOIN LATERAL (
    SELECT ${relation} AS classid, c.oid AS objid FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid
      AND CASE i.value ->> 'kind' WHEN 'TABLE' THEN c.relkind = ANY (CAST('{r,p,f,m,v}' AS pg_catalog.char[])) WHEN 'SEQUENCE' THEN c.relkind = 'S' ELSE false END
    UNION ALL SELECT ${catalog('pg_proc')}, p.oid FROM pg_catalog.pg_proc AS p WHERE p.pronamespace = n.oid AND i.value ->> 'kind' = 'ROUTINE'
  ) AS a
), seed (classid, objid, objsubid) AS (
  SELECT p.classid, p.objid, p.objsubid FROM pieces AS p
  UNION ALL SELECT w.classid, w.objid, w.objsubid FROM wholes AS w CROSS JOIN given AS g WHERE g.act = 'drop'
), touched (classid, objid, objsubid, act) AS (
  SELECT w.classid, w.objid, w.objsubid, CASE g.act WHEN 'rights' THEN 'rights' ELSE 'altered' END
  FROM wholes AS w CROSS JOIN given AS g WHERE w.objid IS NOT NULL AND (g.act = 'alter' OR g.act = 'rights')
  UNION ALL SELECT o.classid, o.objid, 0, 'rights' FROM owned AS o CROSS JOIN given AS g WHERE g.act = 'drop' AND o.deptype = 'a'
), fallen (classid, objid, objsubid) AS (
  SELECT classid, objid, objsubid FROM seed WHERE objid IS NOT NULL
  UNION
  SELECT next.classid, next.objid, next.objsubid FROM fallen AS f CROSS JOIN given AS g CROSS JOIN LATERAL (
    SELECT d.classid, d.objid, d.objsubid FROM pg_catalog.pg_depend AS d
    WHERE d.refclassid = f.classid AND d.refobjid = f.objid AND (f.objsubid = 0 OR d.refobjsubid = f.objsubid)
    AND (g.cascades OR d.deptype <> 'n')
    UNION ALL
    SELECT o.refclassid, o.refobjid, o.refobjsubid FROM pg_catalog.pg_depend AS o
    WHERE o.classid = f.classid AND o.objid = f.objid AND (f.objsubid = 0 OR o.objsubid = f.objsubid) AND (o.deptype = 'i' OR o.deptype = 'e')
  ) AS next
), piece (classid, objid, objsubid) AS (
  SELECT d.classid, d.objid, d.objsubid FROM fallen AS w JOIN pg_catalog.pg_depend AS d ON d.refclassid = w.classid AND d.refobjid = w.objid
  AND (w.objsubid = 0 OR w.objsubid = d.refobjsubid)
  WHERE d.deptype = 'a' OR d.deptype = 'i' OR d.deptype = 'P' OR d.deptype = 'S' OR d.deptype = 'e'
)${reached}), taken AS (
  SELECT r.oid, r.because, r.source, r.act, r.alone FROM rows AS r
  UNION ALL
  SELECT f.objid, CASE WHEN EXISTS (SELECT FROM seed AS s WHERE s.classid = f.classid AND s.objid = f.objid) THEN NULL
    WHEN i.inhparent IS NOT NULL THEN 'child' WHEN NOT EXISTS (SELECT FROM seed AS s WHERE s.classid = ${catalog('pg_namespace')}) AND NOT EXISTS (SELECT FROM owned AS s) THEN 'dependant' END,
    i.inhparent, NULL, false
  FROM fallen AS f LEFT JOIN pg_catalog.pg_inherits AS i ON i.inhrelid = f.objid
    AND EXISTS (SELECT FROM fallen AS p WHERE p.classid = ${relation} AND p.objid = i.inhparent AND p.objsubid = 0)
  WHERE f.classid = ${relation} AND f.objsubid = 0
  UNION ALL
  SELECT t.objid, NULL, NULL, 'rights', true FROM touched AS t WHERE t.classid = ${relation} AND t.act = 'rights'
    AND NOT EXISTS (SELECT FROM fallen AS f WHERE f.classid = t.classid AND f.objid = t.objid AND f.objsubid = 0)
  UNION ALL
  SELECT u.oid, 'use', NULL, 'altered', true FROM uses AS u WHERE NOT EXISTS (SELECT FROM rows AS r WHERE r.oid = u.oid)
    AND NOT EXISTS (SELECT FROM fallen AS f WHERE f.classid = ${relation} AND f.objid = u.oid AND f.objsubid = 0)
), once AS (
  SELECT DISTINCT ON (t.oid, t.act) t.oid, t.because, t.source, t.act, t.alone, c.relname, c.relkind, c.relispartition, c.relhassubclass,
    c.reltuples, n.nspname, n.oid AS schema
  FROM taken AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.oid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' OR c.relkind = 'p' OR c.relkind = 'f' OR c.relkind = 'm'
  ORDER BY t.oid, t.act, t.because NULLS FIRST
), whole AS (
  SELECT o.* FROM once AS o WHERE o.because IS NULL AND EXISTS (SELECT FROM given AS g WHERE g.act = 'alter') OR NOT (o.relispartition AND EXISTS (SELECT FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = o.oid
    AND (i.inhparent = ANY (SELECT p.oid FROM once AS p WHERE p.act IS NULL) OR ROW(i.inhparent, o.act) = ANY (SELECT p.oid, p.act FROM once AS p))))
), parts (root, oid) AS (
  SELECT w.oid, w.oid FROM whole AS w
  UNION SELECT p.root, i.inhrelid FROM parts AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind = 'p'
  JOIN pg_catalog.pg_inherits AS i ON i.inhparent = p.oid
), sizes (root, rows) AS (
  SELECT p.root, pg_catalog.sum(CASE WHEN c.reltuples >= 0 THEN CAST(c.reltuples AS pg_catalog.int8) ELSE pg_catalog.pg_stat_get_live_tuples(c.oid) END)
  FROM parts AS p JOIN pg_catalog.pg_class AS c ON c.oid = p.oid AND c.relkind <> 'p' GROUP BY p.root
)
SELECT CAST(pg_catalog.json_build_object(
  'relations', COALESCE((SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
      'oid', w.oid, 'name', pg_catalog.concat(w.nspname, '.', w.relname), 'because', w.because, 'act', w.act,
      'of', CASE WHEN w.because = 'use' THEN u.of ELSE (SELECT pg_catalog.concat(n.nspname, '.', c.relname)
        FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = w.source) END,
      'columns', CASE WHEN w.because = 'use' THEN u.columns ELSE CAST('[]' AS pg_catalog.json) END,
      'source', pg_catalog.concat(CASE WHEN w.relkind = 'p' THEN '' ELSE 'ONLY ' END, pg_catalog.quote_ident(w.nspname), '.', pg_catalog.quote_ident(w.relname)),
      'mayCount', pg_catalog.has_schema_privilege(w.schema, 'USAGE') AND pg_catalog.has_table_privilege(w.oid, 'SELECT') AND NOT pg_catalog.row_security_active(w.oid),
      'mayLock', (w.relkind = 'r' OR w.relkind = 'p') AND pg_catalog.has_schema_privilege(w.schema, 'USAGE')
        AND pg_catalog.has_table_privilege(w.oid, 'UPDATE, DELETE, TRUNCATE'),
      'estimate', z.rows
    ) ORDER BY w.because IS NOT NULL, w.nspname, w.relname) FROM whole AS w
    LEFT JOIN sizes AS z ON z.root = w.oid LEFT JOIN used AS u ON u.oid = w.oid), CAST('[]' AS pg_catalog.json)),
  'objects', COALESCE((SELECT pg_catalog.json_agg(pg_catalog.json_build_object('act', x.act, 'name', x.name)) FROM (
    SELECT DISTINCT o.act, pg_catalog.pg_describe_object(o.classid, o.objid, o.objsubid) AS name FROM (
      SELECT 'dropped' AS act, f.classid, f.objid, f.objsubid FROM fallen AS f
      LEFT JOIN pg_catalog.pg_trigger AS i ON f.classid = ${catalog('pg_trigger')} AND i.oid = f.objid
      WHERE (f.objsubid = 0 OR NOT EXISTS (SELECT FROM fallen AS w WHERE w.classid = f.classid AND w.objid = f.objid AND w.objsubid = 0))
      AND (i.oid IS NULL OR NOT i.tgisinternal)
      AND NOT ${isPiece}
      UNION ALL SELECT t.act, t.classid, t.objid, t.objsubid FROM touched AS t
    ) AS o LEFT JOIN pg_catalog.pg_class AS c ON o.classid = ${relation} AND c.oid = o.objid
    WHERE c.oid IS NULL OR o.objsubid <> 0 OR c.relkind = ANY (CAST('{v,S,i,I,c}' AS pg_catalog.char[]))
    UNION ALL SELECT CASE g.act WHEN 'drop' THEN 'dropped' ELSE 'altered' END, pg_catalog.concat('role ', o.rolname)
    FROM given AS g CROSS JOIN LATERAL ${texts('roles')} AS r (name) JOIN pg_catalog.pg_roles AS o ON o.rolname = CAST(r.name AS pg_catalog.name)
    UNION ALL SELECT 'altered', pg_catalog.concat('role ', m.rolname, ', a member of ', o.rolname)
    FROM given AS g CROSS JOIN LATERAL ${texts('roles')} AS r (name) JOIN pg_catalog.pg_roles AS o ON o.rolname = CAST(r.name AS pg_catalog.name)
    JOIN pg_catalog.pg_auth_members AS a ON a.roleid = o.oid JOIN pg_catalog.pg_roles AS m ON m.oid = a.member WHERE g.act = 'drop'
    ORDER BY 1, 2) AS x), CAST('[]' AS pg_catalog.json)),
  'oids', COALESCE((SELECT pg_catalog.json_agg(o.oid) FROM (SELECT p.oid FROM parts AS p
    UNION SELECT f.objid FROM fallen AS f WHERE f.classid = ${relation} AND f.objsubid = 0) AS o), CAST('[]' AS pg_catalog.json)),
  'triggers', COALESCE((SELECT pg_catalog.json_agg(DISTINCT t.tgname) FROM given AS g CROSS JOIN rows AS r JOIN pg_catalog.pg_trigger AS t ON t.tgrelid = r.oid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND g.act = 'truncate' AND pg_catalog.int4larger(pg_catalog.int2and(t.tgtype, CAST(32 AS pg_catalog.int2)), 0) <> 0), CAST('[]' AS pg_catalog.json))
) AS pg_catalog.text)`);
