/**
 * The questions to a PostgreSQL server about what a definition did, inside its transaction. This is
 * text alone; `run/definition` asks it. A row of a catalog is ours if its writer is still in
 * progress: this transaction, or a subtransaction of it. It needs PostgreSQL 12 or later.
 */

import type { DefinedAfter } from '../../../guard/postgres/defined/facts.ts';
import { namePartsOfQuestion, namesThereTwice } from './new-names.ts';
import { since } from './row-count-sql.ts';

/**
 * Finds the relations that a definition names, and keeps their oids in `sallyport.named`. Its
 * parameter is a JSON list of names, quoted for `to_regclass`. What a name means depends on the
 * session's path, so this runs before the path is changed.
 */
export const findNamed = `SELECT pg_catalog.set_config('sallyport.named', CAST((
  SELECT COALESCE(pg_catalog.json_agg(CAST(pg_catalog.to_regclass(n.value) AS pg_catalog.oid)) FILTER (WHERE pg_catalog.to_regclass(n.value) IS NOT NULL), '[]')
  FROM pg_catalog.json_array_elements_text(CAST($1 AS pg_catalog.json)) AS n (value)) AS pg_catalog.text), true), pg_catalog.set_config('jit', 'off', true)`;

/** Catalogs whose rows are the server's bookkeeping, or say no more than what they point to. */
const uncounted = "('pg_depend', 'pg_shdepend', 'pg_statistic', 'pg_statistic_ext_data')";

const counters = `SELECT c.oid, c.relname, pg_stat_get_xact_tuples_inserted(c.oid) AS inserted, pg_stat_get_xact_tuples_updated(c.oid) AS updated,
    pg_stat_get_xact_tuples_deleted(c.oid) AS deleted
  FROM pg_class AS c WHERE c.oid < 16384 AND c.relkind = 'r' AND c.relname NOT IN ${uncounted} OFFSET 0`;

/** Columns of catalogs that change without a meaning for anybody. */
const unmeant = `'{relfilenode,relpages,reltuples,relallvisible,relallfrozen,reltoastrelid,relhasindex,relhasrules,relhastriggers,relhassubclass,relchecks,relnatts,relfrozenxid,relminmxid,relrewrite,reltablespace,attstattarget,attstorage,attcompression,attoptions,atthasmissing,attmissingval,attcacheoff,atthasdef,indisclustered,indcheckxmin,ev_action,ev_qual}'`;

const defaultText = (of: string): string =>
  `concat_ws(' ', ${of}.adrelid, ${of}.adnum, regexp_replace(pg_get_expr(${of}.adbin, ${of}.adrelid), '::(text|character varying)([(][0-9]+[)])?', '', 'g'))`;
const constraintText = (of: string): string =>
  `concat_ws(' ', ${of}.conrelid, ${of}.conname, pg_get_constraintdef(${of}.oid))`;
const indexText = (of: string): string => `pg_get_indexdef(${of}.indexrelid)`;

/**
 * The catalogs' rows that belong to the relations in `held`.
 * @param isOurs makes the condition that a row with that xmin is ours.
 * @param held the name of the question's part that has the relations.
 */
const heldRows = (isOurs: (xmin: string) => string, held = 'held'): string => {
  const isHeld = (relation: string) => `${relation} = ANY (ARRAY(SELECT h.oid FROM ${held} AS h))`;
  const rows = (catalog: string, key: string, relation: string, more = 'NULL', where = isHeld(relation)) =>
    `SELECT '${catalog}' AS catalog, concat_ws(' ', ${key}) AS key, CAST(${relation} AS int8) AS relation,
      to_jsonb(x) - CAST(${unmeant} AS text[]) || jsonb_build_object('more', ${more}) AS content, ${isOurs('x.xmin')} AS "isOurs"
    FROM ${catalog} AS x WHERE ${where}`;
  return [
    rows('pg_class', 'x.oid', 'x.oid'),
    rows('pg_attribute', 'x.attrelid, x.attnum', 'x.attrelid'),
    rows('pg_attrdef', 'x.oid', 'x.adrelid', defaultText('x')),
    rows('pg_constraint', 'x.oid', 'x.conrelid', constraintText('x')),
    rows('pg_index', 'x.indexrelid', 'x.indexrelid', indexText('x')),
    rows('pg_sequence', 'x.seqrelid', 'x.seqrelid'),
    // Asked for by oid, which has an index; typrelid has none.
    rows(
      'pg_type',
      'x.oid',
      'x.typrelid',
      'NULL',
      `x.oid = ANY (ARRAY(SELECT c.reltype FROM ${held} AS h JOIN pg_class AS c ON c.oid = h.oid))`,
    ),
    rows('pg_rewrite', 'x.oid', 'x.ev_class', 'pg_get_viewdef(x.ev_class)'),
  ].join('\n UNION ALL ');
};

const asRows = (rows: string, more = ''): string =>
  `COALESCE((SELECT json_agg(json_build_object('catalog', r.catalog, 'key', r.key, 'relation', r.relation, 'content', r.content, 'isOurs', r."isOurs"${more})) FROM ${rows} AS r), '[]')`;

/** Columns that tell which part of a tree a row belongs to, and nothing else. */
const identity = `'{oid,relname,reltype,relpartbound,attrelid,adrelid,conrelid,conindid,conparentid,conname,indexrelid,indrelid,seqrelid,typname,typarray,typrelid,ev_class,more}'`;

/**
 * Each table in `tables`, with its indexes and its TOAST table. `unit` is the part of a tree that
 * they belong to; 0 for what the statement names.
 */
const heldOfTables = `held (oid, unit) AS MATERIALIZED (
  SELECT x.oid, min(x.unit) FROM (
    SELECT t.oid, t.unit FROM tables AS t
    UNION ALL SELECT i.indexrelid, t.unit FROM tables AS t JOIN pg_index AS i ON i.indrelid = t.oid
    UNION ALL SELECT x.oid, t.unit FROM tables AS t JOIN pg_class AS c ON c.oid = t.oid AND c.reltoastrelid <> 0
      CROSS JOIN LATERAL (SELECT c.reltoastrelid UNION ALL SELECT i.indexrelid FROM pg_index AS i WHERE i.indrelid = c.reltoastrelid) AS x (oid)
  ) AS x GROUP BY x.oid)`;

const hashed = (texts: string): string =>
  `encode(sha256(convert_to(string_agg(${texts}, ' ' ORDER BY ${texts} COLLATE "C"), getdatabaseencoding())), 'hex')`;
/**
 * A hash of what is said about each unit, but for which unit it is: by its rows in the catalogs, by
 * publications of it, and by functions that take its rows.
 */
const saidOfUnits = `units (unit, said) AS MATERIALIZED (
  SELECT r.unit, ${hashed('r.said')} FROM (
    SELECT x.unit, ${hashed('x.said')} AS said FROM (
      SELECT h.unit, h.oid, concat(r.catalog, r."isOurs", r.content - CAST(${identity} AS text[])) AS said
      FROM rows AS r JOIN held AS h ON h.oid = CAST(r.relation AS oid) WHERE h.unit <> 0
      UNION ALL SELECT h.unit, h.oid, concat('published ', p.prpubid) FROM pg_publication_rel AS p JOIN held AS h ON h.oid = p.prrelid WHERE h.unit <> 0
      UNION ALL SELECT h.unit, h.oid, concat('function ', p.oid) FROM pg_proc AS p JOIN pg_class AS c ON c.reltype = p.proargtypes[0] JOIN held AS h ON h.oid = c.oid
        WHERE h.unit <> 0 AND c.reltype <> 0
    ) AS x GROUP BY x.unit, x.oid
  ) AS r GROUP BY r.unit)`;

/**
 * What is there before the definition. A tree of partitions or children is judged as one table: of
 * parts that say the same, a group, only the rows of the first are told.
 */
export const definedBefore = `
WITH RECURSIVE own AS MATERIALIZED (SELECT txid_current() AS id
), named (oid) AS (
  SELECT CAST(n.value AS oid) FROM json_array_elements_text(CAST(current_setting('sallyport.named') AS json)) AS n (value)
), tables (oid, unit) AS (
  SELECT n.oid, CAST(0 AS oid) FROM named AS n
  UNION SELECT i.inhrelid, i.inhrelid FROM tables AS t JOIN pg_inherits AS i ON i.inhparent = t.oid
), ${heldOfTables}, rows AS MATERIALIZED (${heldRows(() => 'false')}
), ${saidOfUnits}, groups (first, units) AS (
  SELECT min(u.unit), json_agg(CAST(u.unit AS int8) ORDER BY u.unit) FROM units AS u GROUP BY u.said HAVING count(*) > 1
), told AS (
  SELECT r.*, CAST(h.unit AS int8) AS unit FROM rows AS r JOIN held AS h ON h.oid = CAST(r.relation AS oid)
  WHERE h.unit NOT IN (SELECT u.unit FROM units AS u JOIN units AS f ON f.said = u.said WHERE f.unit IN (SELECT g.first FROM groups AS g) AND u.unit <> f.unit)
)
SELECT CAST(json_build_object('own', (SELECT id FROM own), 'since', ${since}, 'held', COALESCE((SELECT json_agg(CAST(h.oid AS int8)) FROM held AS h), '[]'), 'rows', ${asRows('told', ", 'unit', r.unit")},
  'groups', COALESCE((SELECT json_agg(g.units) FROM groups AS g), '[]'),
  'counts', (SELECT json_object_agg(c.relname, json_build_array(c.inserted, c.updated, c.deleted)) FROM (${counters}) AS c)) AS text)`;

/**
 * The condition that a row with this xmin was written by this transaction, since the present step
 * began. A frozen row has an xmin of great age, so it isn't ours.
 */
const isOurs = (xmin: string): string =>
  `CASE WHEN age(${xmin}) <= 0 THEN txid_status(txid_current() - age(${xmin})) = 'in progress'
    AND txid_current() - age(${xmin}) >= COALESCE(${since}, 0) ELSE false END`;

/**
 * Asks whether the parts of each group still say the same, and which relations belong to all parts
 * but the first. Its parameter is `groups`, as `definedBefore` found them.
 */
export const stillAlike = `
WITH members (unit, first) AS MATERIALIZED (
  SELECT CAST(m.value AS oid), g.first FROM (SELECT g.value, CAST(g.value ->> 0 AS oid) AS first FROM json_array_elements(CAST($1 AS json)) AS g (value) OFFSET 0) AS g
  CROSS JOIN LATERAL json_array_elements_text(g.value) AS m (value)
), tables (oid, unit) AS (SELECT m.unit, m.unit FROM members AS m
), ${heldOfTables}, rows AS MATERIALIZED (${heldRows(isOurs)}
), ${saidOfUnits}
SELECT CAST(json_build_object(
  'areAlike', (SELECT bool_and(g.alike) FROM (SELECT count(DISTINCT u.said) <= 1 AND count(u.said) IN (0, count(*)) AS alike
    FROM members AS m LEFT JOIN units AS u ON u.unit = m.unit GROUP BY m.first) AS g),
  'covered', COALESCE((SELECT json_agg(CAST(h.oid AS int8)) FROM held AS h JOIN members AS m ON m.unit = h.unit WHERE m.unit <> m.first), '[]')) AS text)`;

/**
 * The catalogs of tables, columns, keys and indexes. Planning takes longer than all else, so the
 * first question is about these alone.
 */
const plain =
  'pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_sequence pg_type pg_inherits pg_trigger'.split(' ');

/** Catalogs that a definition may add to; what happens in another asks. */
const judged =
  `pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_sequence pg_rewrite pg_inherits pg_type pg_proc pg_trigger
 pg_namespace pg_description pg_enum pg_range pg_partitioned_table pg_collation pg_ts_config pg_ts_config_map pg_ts_dict
 pg_opfamily pg_statistic_ext pg_cast`.split(/\s+/);

const oursIn = (catalog: string): string =>
  `SELECT x.* FROM ${catalog} AS x WHERE EXISTS (SELECT FROM counted AS n WHERE n.relname = '${catalog}') AND ${isOurs('x.xmin')}`;

/**
 * How many rows of a catalog are ours. It is asked only about a catalog in which something
 * happened. One of `readOnce` was read already, by a part of the same question.
 */
const countIn = (catalog: string): string =>
  readOnce.has(catalog)
    ? `(SELECT count(*) FROM our_${readOnce.get(catalog)})`
    : `(SELECT count(*) FROM ${catalog} AS x WHERE ${isOurs('x.xmin')})`;
const readOnce: ReadonlyMap<string, string> = new Map([
  ['pg_class', 'class'],
  ['pg_attribute', 'attribute'],
  ['pg_type', 'type'],
  ['pg_proc', 'proc'],
  ['pg_attrdef', 'default'],
  ['pg_constraint', 'constraint'],
  ['pg_index', 'index'],
  ['pg_inherits', 'inherits'],
  ['pg_sequence', 'sequence'],
]);

/** What each expression is made of (`ExpressionFact`). */
const facts = `SELECT t.catalog, t.key, json_build_object(
  'nodes', (SELECT COALESCE(json_agg(DISTINCT m.part[1]), '[]') FROM regexp_matches(CAST(t.tree AS text), '[{]([A-Z_]+)', 'g') AS m (part)),
  'functions', (SELECT COALESCE(json_agg(DISTINCT jsonb_build_object('schema', n.nspname, 'name', p.proname, 'volatility', p.provolatile,
      'ofExtension', EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = CAST('pg_proc' AS regclass) AND d.objid = p.oid AND d.deptype = 'e'))), '[]')
    FROM regexp_matches(CAST(t.tree AS text), ':(funcid|opno) ([0-9]+)', 'g') AS m (part)
    LEFT JOIN pg_operator AS o ON m.part[1] = 'opno' AND o.oid = CAST(m.part[2] AS oid)
    JOIN pg_proc AS p ON p.oid = CASE m.part[1] WHEN 'opno' THEN CAST(o.oprcode AS oid) ELSE CAST(m.part[2] AS oid) END
    JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE o.oid IS NULL OR o.oid >= 16384 OR NOT EXISTS (SELECT FROM pg_amop AS a WHERE a.amopopr IN (o.oid, o.oprnegate) AND a.amopmethod IN (403, 405))),
  'becomes', (SELECT COALESCE(json_agg(DISTINCT m.part[1]), '[]')
    FROM regexp_matches(CAST(t.tree AS text), ' :resulttype ([0-9]+)', 'g') AS m (part)),
  'text', t.text) FROM trees AS t`;
/** The condition that a relation isn't one of those for which the first of its group is told. */
const isTold = (relation: string): string => `${relation} NOT IN (SELECT h.oid FROM covered AS h)`;
const factsOf = (catalog: string, key: string): string =>
  `FROM facts AS f WHERE f.catalog = '${catalog}' AND f.key = ${key}`;

/** One row by its oid, through the index: a hash of the whole catalog would take far longer. */
const byOid = (catalog: string, oid: string): string => `SELECT x.* FROM ${catalog} AS x WHERE x.oid = ${oid} OFFSET 0`;
const numbers = (array: string): string => `COALESCE(array_to_json(CAST(${array} AS int2[])), '[]')`;
const all = (what: string, from: string): string => `COALESCE((SELECT json_agg(${what}) FROM ${from}), '[]')`;

/** True if something happened in a catalog that the plain question doesn't look into. */
export const needsAll = (counts: DefinedAfter['counts']): boolean =>
  Object.keys(counts).some(catalog => judged.includes(catalog) && !plain.includes(catalog));

/**
 * What a definition did, in these catalogs. Its parameter is a JSON object: `counts` and `held` as
 * `definedBefore` found them, and `covered`, the relations that `stillAlike` found.
 */
const definedAfter = (catalogs: readonly string[]): string => {
  const rowsOf = (catalog: string): string | null => (catalogs.includes(catalog) ? oursIn(catalog) : null);
  /** The rows of a catalog that are ours. The catalog is read only if something happened there. */
  const ours = (catalog: string): string => rowsOf(catalog) ?? `SELECT x.* FROM ${catalog} AS x WHERE false`;
  return `
WITH RECURSIVE given AS MATERIALIZED (SELECT CAST($1 AS json) AS before
), before AS (
  SELECT b.key AS relname, CAST(b.value ->> 0 AS int8) AS inserted, CAST(b.value ->> 1 AS int8) AS updated, CAST(b.value ->> 2 AS int8) AS deleted
  FROM given AS g CROSS JOIN LATERAL json_each(g.before -> 'counts') AS b
), counted AS MATERIALIZED (
  SELECT c.relname, c.inserted - b.inserted AS inserted, c.updated - b.updated AS updated, c.deleted - b.deleted AS deleted
  FROM (${counters}) AS c JOIN before AS b ON b.relname = CAST(c.relname AS text)
  WHERE c.inserted <> b.inserted OR c.updated <> b.updated OR c.deleted <> b.deleted
), held AS MATERIALIZED (
  SELECT CAST(h.value AS oid) AS oid FROM given AS g CROSS JOIN LATERAL json_array_elements_text(g.before -> 'held') AS h (value)
), covered AS MATERIALIZED (
  SELECT CAST(h.value AS oid) AS oid FROM given AS g CROSS JOIN LATERAL json_array_elements_text(g.before -> 'covered') AS h (value)
), told AS MATERIALIZED (SELECT h.oid FROM held AS h WHERE h.oid NOT IN (SELECT c.oid FROM covered AS c)
), rows AS (${heldRows(isOurs, 'told')}
), our_class AS MATERIALIZED (${ours('pg_class')}
), our_attribute AS MATERIALIZED (${ours('pg_attribute')}
), our_type AS MATERIALIZED (${ours('pg_type')}
), our_proc AS MATERIALIZED (${ours('pg_proc')}
), our_default AS MATERIALIZED (${ours('pg_attrdef')}
), our_constraint AS MATERIALIZED (${ours('pg_constraint')}
), our_index AS MATERIALIZED (${ours('pg_index')}
), our_inherits AS MATERIALIZED (${ours('pg_inherits')}
), our_sequence AS MATERIALIZED (${ours('pg_sequence')}
), our_code (relation, what) AS (
  SELECT x.tgrelid, 'trigger' FROM (${ours('pg_trigger')}) AS x WHERE NOT x.tgisinternal
  UNION ALL SELECT x.ev_class, 'rule' FROM (${ours('pg_rewrite')}) AS x WHERE x.rulename <> '_RETURN'
  UNION ALL SELECT x.stxrelid, 'statistics' FROM (${ours('pg_statistic_ext')}) AS x WHERE to_jsonb(x) ->> 'stxexprs' IS NOT NULL
), trees (catalog, key, tree, text) AS (
  SELECT 'pg_attrdef', x.oid, CAST(x.adbin AS text), pg_get_expr(x.adbin, x.adrelid) FROM our_default AS x WHERE ${isTold('x.adrelid')}
  UNION ALL SELECT 'pg_constraint', x.oid, CAST(x.conbin AS text), pg_get_expr(x.conbin, x.conrelid) FROM our_constraint AS x WHERE x.conbin IS NOT NULL AND ${isTold('x.conrelid')}
  UNION ALL SELECT 'pg_index', x.indexrelid, CAST(e.tree AS text), '' FROM our_index AS x
    CROSS JOIN LATERAL (VALUES (x.indexprs), (x.indpred)) AS e (tree) WHERE e.tree IS NOT NULL AND ${isTold('x.indrelid')}
), facts (catalog, key, fact) AS MATERIALIZED (${facts}
), met (oid) AS (
  SELECT x.oid FROM our_class AS x WHERE x.oid NOT IN (SELECT h.oid FROM held AS h) OR ${isTold('x.oid')} UNION SELECT x.attrelid FROM our_attribute AS x WHERE ${isTold('x.attrelid')}
  UNION SELECT x.adrelid FROM our_default AS x WHERE ${isTold('x.adrelid')} UNION SELECT x.conrelid FROM our_constraint AS x WHERE ${isTold('x.conrelid')}
  UNION SELECT x.indrelid FROM our_index AS x WHERE ${isTold('x.indrelid')} UNION SELECT h.oid FROM told AS h
  UNION SELECT x.inhparent FROM our_inherits AS x UNION SELECT c.relation FROM our_code AS c
  UNION SELECT d.refobjid FROM our_sequence AS x JOIN pg_depend AS d ON d.classid = CAST('pg_class' AS regclass) AND d.objid = x.seqrelid AND d.refclassid = d.classid AND d.deptype IN ('a', 'i')
), ${namePartsOfQuestion(rowsOf)}
SELECT CAST(json_build_object(
  'isCounting', current_setting('track_counts') = 'on',
  'counts', COALESCE((SELECT json_object_agg(n.relname, json_build_array(n.inserted, n.updated, n.deleted,
    CASE n.relname ${catalogs.map(catalog => `WHEN '${catalog}' THEN ${countIn(catalog)}`).join(' ')} END)) FROM counted AS n), '{}'),
  'rows', ${asRows('rows')},
  'relations', ${all(
    `json_build_object('oid', CAST(c.oid AS int8), 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind, 'isTemporary', c.relpersistence = 't', 'isUnlogged', c.relpersistence = 'u',
    'isOurs', c.oid IN (SELECT o.oid FROM our_class AS o),
    'publications', COALESCE((SELECT json_agg(DISTINCT p.pubname) FROM pg_publication AS p WHERE c.relkind IN ('r', 'p') AND (p.puballtables
      OR EXISTS (SELECT FROM pg_publication_rel AS r WHERE r.prpubid = p.oid AND r.prrelid = c.oid)
      OR c.oid IN (SELECT t.relid FROM pg_get_publication_tables(CAST(p.pubname AS text)) AS t))), '[]'))`,
    `met AS m CROSS JOIN LATERAL (${byOid('pg_class', 'm.oid')}) AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace`,
  )},
  'columns', ${all(
    `json_build_object('key', concat(a.attrelid, ' ', a.attnum), 'relation', CAST(a.attrelid AS int8), 'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
    'isSmall', a.atttypid = 21, 'takesNoNull', a.attnotnull, 'generated', a.attgenerated, 'isIdentity', a.attidentity <> '',
    'isChecked', t.typtype = 'd' AND (t.typnotnull OR t.typbasetype IN (SELECT d.oid FROM pg_type AS d WHERE d.typtype = 'd')
      OR EXISTS (SELECT FROM pg_constraint AS k WHERE k.contypid = t.oid)),
    'hides', COALESCE((SELECT json_agg(concat(s.nspname, '.', p.proname)) FROM pg_proc AS p JOIN pg_namespace AS s ON s.oid = p.pronamespace
      WHERE p.proname = a.attname AND p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 AND p.proargtypes[0] = c.reltype), '[]'))`,
    `our_attribute AS a CROSS JOIN LATERAL (${byOid('pg_class', 'a.attrelid')}) AS c CROSS JOIN LATERAL (${byOid('pg_type', 'a.atttypid')}) AS t
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'c')
      AND ${isTold('a.attrelid')}`,
  )},
  'defaults', ${all(
    `json_build_object('key', CAST(d.oid AS text), 'written', ${defaultText('d')}, 'relation', CAST(d.adrelid AS int8), 'number', d.adnum, 'expression', (SELECT f.fact ${factsOf('pg_attrdef', 'd.oid')}))`,
    `our_default AS d WHERE ${isTold('d.adrelid')}`,
  )},
  'constraints', ${all(
    `json_build_object('key', CAST(k.oid AS text), 'written', ${constraintText('k')}, 'relation', CAST(k.conrelid AS int8), 'name', k.conname, 'type', k.contype, 'columns', ${numbers('k.conkey')}, 'cascades', k.confdeltype = 'c',
    'expression', (SELECT f.fact ${factsOf('pg_constraint', 'k.oid')}))`,
    `our_constraint AS k WHERE k.conrelid <> 0 AND ${isTold('k.conrelid')}`,
  )},
  'indexes', ${all(
    `json_build_object('key', CAST(i.indexrelid AS text), 'written', ${indexText('i')}, 'relation', CAST(i.indrelid AS int8), 'isUnique', i.indisunique, 'nullsAreEqual', COALESCE(CAST(to_jsonb(i) ->> 'indnullsnotdistinct' AS bool), false),
    'columns', ${numbers('i.indkey')},
    'expressions', COALESCE((SELECT json_agg(f.fact) ${factsOf('pg_index', 'i.indexrelid')}), '[]'))`,
    `our_index AS i WHERE ${isTold('i.indrelid')}`,
  )},
  'children', ${all(
    `json_build_object('child', CAST(i.inhrelid AS int8), 'parent', CAST(i.inhparent AS int8), 'isPartition', c.relispartition,
    'restricts', c.relkind = 'p' OR EXISTS (SELECT FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.conislocal AND k.contype <> 'n')
      OR EXISTS (SELECT FROM pg_attribute AS a JOIN pg_attribute AS b ON b.attrelid = i.inhparent AND b.attname = a.attname
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND a.attnotnull AND NOT b.attnotnull))`,
    "our_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE c.relkind NOT IN ('i', 'I')",
  )},
  'sequences', ${all(
    `json_build_object('oid', CAST(s.seqrelid AS int8), 'name', c.relname, 'isPlain', s.seqstart = 1 AND s.seqincrement = 1 AND s.seqmin = 1
      AND s.seqmax = CASE s.seqtypid WHEN 21 THEN 32767 WHEN 23 THEN 2147483647 ELSE 9223372036854775807 END,
    'owner', (SELECT json_build_object('relation', CAST(d.refobjid AS int8), 'column', d.refobjsubid) FROM pg_depend AS d
      WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = s.seqrelid AND d.refclassid = d.classid AND d.deptype IN ('a', 'i') LIMIT 1),
    'isClosed', EXISTS (SELECT FROM pg_depend AS d CROSS JOIN LATERAL (
        SELECT t.relacl AS acl FROM pg_class AS t WHERE t.oid = d.refobjid
        UNION ALL SELECT a.attacl FROM pg_attribute AS a WHERE a.attrelid = d.refobjid AND a.attacl IS NOT NULL
      ) AS x CROSS JOIN LATERAL aclexplode(x.acl) AS w
      WHERE d.classid = CAST('pg_class' AS regclass) AND d.objid = s.seqrelid AND d.refclassid = d.classid AND d.deptype = 'a' AND w.privilege_type = 'INSERT'
      AND NOT CASE w.grantee WHEN 0 THEN has_sequence_privilege('public', s.seqrelid, 'USAGE') ELSE has_sequence_privilege(w.grantee, s.seqrelid, 'USAGE') END))`,
    'our_sequence AS s JOIN pg_class AS c ON c.oid = s.seqrelid',
  )},
  'code', ${all("json_build_object('relation', CAST(c.relation AS int8), 'what', c.what)", 'our_code AS c')},
  'casts', (SELECT count(*) FROM (${ours('pg_cast')}) AS k WHERE NOT EXISTS (SELECT FROM our_type AS t WHERE t.oid = k.castsource)),
  'namesThereTwice', ${namesThereTwice}) AS text)`;
};

export const definedPlainly = definedAfter(plain);
export const definedInAll = definedAfter(judged);
