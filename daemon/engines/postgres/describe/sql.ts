/**
 * The query behind `describeTables`: $1 is a JSON list of [name, name and schema as SQL reads
 * them], $2 their schema or null. A name with a schema is never looked for in the search path.
 */

import { alterations } from './alterations-sql.ts';
import { isSince18, list, sequenceOptions, stateOfConstraint, wrapperOptions } from './catalog-parts.ts';
import { columns } from './columns-sql.ts';
import { bytesOfTree, childCount, firstChild, partitionCount, rowsOfTree } from './tables-under.ts';

const qualifiedName = (relation: string) =>
  `pg_catalog.concat_ws('.', pg_catalog.quote_ident((SELECT s.nspname FROM pg_catalog.pg_namespace AS s WHERE s.oid = ${relation}.relnamespace)), pg_catalog.quote_ident(${relation}.relname))`;

const columnNames = (relation: string, numbers: string) =>
  `ARRAY(SELECT CAST(a.attname AS pg_catalog.text)
    FROM pg_catalog.unnest(${numbers}) WITH ORDINALITY AS listed(number, place)
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = ${relation} AND a.attnum = listed.number ORDER BY listed.place)`;

/**
 * A foreign key to a partitioned table is repeated for each of its partitions; a partition's key
 * belongs to the one of its table.
 */
const isRepeated =
  'EXISTS (SELECT FROM pg_catalog.pg_constraint AS up WHERE up.oid = k.conparentid AND up.conrelid = k.conrelid)';

/** Since PostgreSQL 18: a key WITHOUT OVERLAPS, or a foreign key to one. */
const isPeriod = `CASE WHEN ${isSince18} AND k.contype IN ('p', 'u', 'f') THEN coalesce(CAST(pg_catalog.to_jsonb(k) ->> 'conperiod' AS pg_catalog.bool), false) ELSE false END`;

/** Since PostgreSQL 15. */
const columnsSetOnDelete = `ARRAY(SELECT pg_catalog.quote_ident(a.attname)
    FROM pg_catalog.pg_attribute AS a WHERE k.contype = 'f' AND k.confdeltype IN ('n', 'd') AND a.attrelid = k.conrelid
      AND pg_catalog.to_jsonb(k) -> 'confdelsetcols' @> pg_catalog.to_jsonb(a.attnum) ORDER BY a.attnum)`;

const constraints = list(
  `pg_catalog.json_build_object(
    'name', k.conname,
    'type', k.contype,
    'ofParent', NOT k.conislocal OR k.conparentid <> 0,
    'definition', pg_catalog.concat_ws(' ', 'CONSTRAINT', pg_catalog.quote_ident(k.conname), pg_catalog.pg_get_constraintdef(k.oid, true)),
    'expression', pg_catalog.pg_get_expr(k.conbin, k.conrelid, true),
    'columns', ${columnNames('k.conrelid', 'k.conkey')},
    'referencedSchema', (SELECT s.nspname FROM pg_catalog.pg_namespace AS s WHERE s.oid = r.relnamespace),
    'referencedTable', r.relname,
    'referencedColumns', ${columnNames('k.confrelid', 'k.confkey')},
    'onUpdate', k.confupdtype,
    'onDelete', k.confdeltype,
    'onDeleteColumns', ${columnsSetOnDelete},
    'isPeriod', ${isPeriod},
    'state', ${stateOfConstraint},
    'isValid', k.convalidated OR pg_catalog.pg_get_constraintdef(k.oid) LIKE '% NOT ENFORCED')`,
  `FROM pg_catalog.pg_constraint AS k LEFT JOIN pg_catalog.pg_class AS r ON r.oid = k.confrelid
    WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'c', 'f', 'x') AND NOT ${isRepeated}`,
  `pg_catalog.array_position(ARRAY['p', 'u', 'x', 'c', 'f'], CAST(k.contype AS pg_catalog.text)), k.conname`,
);

/**
 * A foreign key towards a partitioned table is repeated for each partition: only the first counts.
 */
const referencedBy = list(
  `pg_catalog.json_build_object(
    'name', k.conname,
    'schema', (SELECT s.nspname FROM pg_catalog.pg_namespace AS s WHERE s.oid = f.relnamespace),
    'table', f.relname,
    'columns', ${columnNames('k.conrelid', 'k.conkey')},
    'referencedColumns', ${columnNames('k.confrelid', 'k.confkey')},
    'state', ${stateOfConstraint})`,
  `FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS f ON f.oid = k.conrelid
    WHERE k.confrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0`,
  'f.relname, k.conname',
);

/** The definition of an index's constraint, without what its state tells. */
const withoutState = `pg_catalog.regexp_replace(pg_catalog.pg_get_constraintdef(k.oid, true), '( DEFERRABLE)?( INITIALLY DEFERRED)?$', '')`;

const indexes = list(
  `pg_catalog.json_build_object(
    'name', i.relname,
    'columns', ARRAY(SELECT pg_catalog.concat(pg_catalog.pg_get_indexdef(x.indexrelid, place, true),
        CASE WHEN ${isPeriod} AND place = x.indnkeyatts THEN ' WITHOUT OVERLAPS' END)
      FROM pg_catalog.generate_series(1, CAST(x.indnkeyatts AS pg_catalog.int4)) AS place ORDER BY place),
    'unique', x.indisunique,
    'method', m.amname,
    'definition', CASE WHEN k.contype = 'x' OR ${isPeriod} THEN ${withoutState} ELSE pg_catalog.pg_get_indexdef(x.indexrelid) END,
    'excludes', k.contype IS NOT DISTINCT FROM 'x',
    'state', nullif(pg_catalog.concat_ws(' ', CASE WHEN NOT x.indisvalid THEN 'INVALID' END, ${stateOfConstraint}), ''),
    'isValid', x.indisvalid,
    'ofParent', i.relispartition,
    'ofConstraint', k.oid IS NOT NULL)`,
  `FROM pg_catalog.pg_index AS x
    JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
    JOIN pg_catalog.pg_am AS m ON m.oid = i.relam
    LEFT JOIN pg_catalog.pg_constraint AS k ON k.conrelid = x.indrelid AND k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x')
    WHERE x.indrelid = c.oid`,
  'x.indisprimary DESC, i.relname',
);

/** What ALTER TABLE set for a trigger or rule; null for what it was made with. */
const altered = (enabled: string) =>
  `CASE ${enabled} WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' END`;

/**
 * Up to PostgreSQL 14 a partition's trigger from its table is internal; version 12 doesn't know
 * whose it is.
 */
const triggers = list(
  `pg_catalog.json_build_object('name', g.tgname, 'definition', pg_catalog.pg_get_triggerdef(g.oid, true),
    'state', ${altered('g.tgenabled')},
    'quoted', pg_catalog.quote_ident(g.tgname),
    'ofParent', up.oid IS NOT NULL,
    'altered', g.tgenabled <> coalesce(up.tgenabled, 'O'))`,
  `FROM pg_catalog.pg_trigger AS g
    LEFT JOIN pg_catalog.pg_trigger AS up ON up.oid = CAST(pg_catalog.to_jsonb(g) ->> 'tgparentid' AS pg_catalog.oid)
    WHERE g.tgrelid = c.oid AND NOT g.tgisinternal`,
  'g.tgname',
);

/** A rule of this name makes a view. */
const rules = list(
  `pg_catalog.json_build_object('name', u.rulename, 'definition', pg_catalog.pg_get_ruledef(u.oid, true),
    'state', ${altered('u.ev_enabled')}, 'quoted', pg_catalog.quote_ident(u.rulename))`,
  "FROM pg_catalog.pg_rewrite AS u WHERE u.ev_class = c.oid AND u.rulename <> '_RETURN'",
  'u.rulename',
);

const statistics = `ARRAY(SELECT pg_catalog.pg_get_statisticsobjdef(s.oid)
    FROM pg_catalog.pg_statistic_ext AS s WHERE s.stxrelid = c.oid ORDER BY s.stxname)`;

const sequence = `(SELECT pg_catalog.concat_ws(' ', 'AS', pg_catalog.format_type(q.seqtypid, -1), ${sequenceOptions})
    FROM pg_catalog.pg_sequence AS q WHERE q.seqrelid = c.oid)`;

const ownedSequences = list(
  `pg_catalog.json_build_object('qualified', ${qualifiedName('counter')}, 'column', pg_catalog.quote_ident(a.attname),
    'options', pg_catalog.concat_ws(' ', 'AS', pg_catalog.format_type(q.seqtypid, -1), ${sequenceOptions}))`,
  `FROM pg_catalog.pg_depend AS own JOIN pg_catalog.pg_class AS counter ON counter.oid = own.objid
    JOIN pg_catalog.pg_sequence AS q ON q.seqrelid = counter.oid
    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = own.refobjid AND a.attnum = own.refobjsubid
    WHERE own.refobjid = c.oid AND own.deptype = 'a' AND own.classid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
      AND own.refclassid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)`,
  'a.attnum',
);

const policies = list(
  `pg_catalog.json_build_object('quoted', pg_catalog.quote_ident(o.polname), 'terms', pg_catalog.concat(
    CASE WHEN NOT o.polpermissive THEN ' AS RESTRICTIVE' END,
    CASE o.polcmd WHEN 'r' THEN ' FOR SELECT' WHEN 'a' THEN ' FOR INSERT' WHEN 'w' THEN ' FOR UPDATE' WHEN 'd' THEN ' FOR DELETE' END,
    ' TO ', (SELECT pg_catalog.string_agg(CASE WHEN member = 0 THEN 'PUBLIC' ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(member)) END, ', ')
      FROM pg_catalog.unnest(o.polroles) AS member),
    CASE WHEN o.polqual IS NOT NULL THEN pg_catalog.concat(' USING (', pg_catalog.pg_get_expr(o.polqual, o.polrelid), ')') END,
    CASE WHEN o.polwithcheck IS NOT NULL THEN pg_catalog.concat(' WITH CHECK (', pg_catalog.pg_get_expr(o.polwithcheck, o.polrelid), ')') END))`,
  'FROM pg_catalog.pg_policy AS o WHERE o.polrelid = c.oid',
  'o.polname',
);

/**
 * In a table with a partition a day the first ones show the naming, and the last where they end.
 */
const firstParts = 4;

/**
 * Ordered by the start of a range: dates as text, numbers by length first. Computed once per
 * partition (OFFSET 0), as there may be thousands.
 */
const partOrder = `p.lower = 'DEFAULT', p.lower NOT LIKE '%(MINVALUE%', p.lower NOT LIKE '%(''-%',
          pg_catalog.length(p.lower), p.lower COLLATE "C", p.relname`;

const parts = `ARRAY(SELECT pg_catalog.concat(${qualifiedName('part')}, ' ', pg_catalog.pg_get_expr(part.relpartbound, part.oid))
    FROM (SELECT p.oid, p.relname, p.relnamespace, p.relpartbound,
        pg_catalog.row_number() OVER (ORDER BY ${partOrder}) AS place, pg_catalog.count(*) OVER () AS last,
        p.oid = (SELECT o.partdefid FROM pg_catalog.pg_partitioned_table AS o WHERE o.partrelid = c.oid) AS "isRest"
      FROM (SELECT r.oid, r.relname, r.relnamespace, r.relpartbound,
          pg_catalog.split_part(pg_catalog.pg_get_expr(r.relpartbound, r.oid), ' TO ', 1) AS lower
        FROM pg_catalog.pg_inherits AS h JOIN pg_catalog.pg_class AS r ON r.oid = h.inhrelid
        WHERE h.inhparent = c.oid AND c.relkind = 'p' OFFSET 0) AS p) AS part
    WHERE part.place <= ${firstParts} OR part.place >= part.last - 1 OR part."isRest" ORDER BY part.place)`;

const relation = (withDdl: boolean) => `pg_catalog.json_build_object(
  'name', c.relname,
  'schema', n.nspname,
  'qualified', ${qualifiedName('c')},
  'relkind', c.relkind,
  'unlogged', c.relpersistence = 'u',
  'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
  'rows', ${rowsOfTree},
  'bytes', ${bytesOfTree},
  'childCount', ${childCount},
  'firstChild', ${firstChild(qualifiedName('child'))},
  'options', c.reloptions,
  'ofType', CASE WHEN c.reloftype <> 0 THEN pg_catalog.format_type(c.reloftype, -1) END,
  'isPopulated', c.relispopulated,
  'alterations', ${withDdl ? alterations(qualifiedName('c')) : "CAST('{}' AS pg_catalog._text)"},
  'partitionKey', CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END,
  'partitionBound', pg_catalog.pg_get_expr(c.relpartbound, c.oid),
  'parents', ARRAY(SELECT ${qualifiedName('p')} FROM pg_catalog.pg_inherits AS h
    JOIN pg_catalog.pg_class AS p ON p.oid = h.inhparent WHERE h.inhrelid = c.oid ORDER BY h.inhseqno),
  'viewDefinition', CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid, true) END,
  'foreignServer', (SELECT pg_catalog.quote_ident(v.srvname) FROM pg_catalog.pg_foreign_table AS w
    JOIN pg_catalog.pg_foreign_server AS v ON v.oid = w.ftserver WHERE w.ftrelid = c.oid),
  'foreignOptions', (SELECT ${wrapperOptions('w.ftoptions')} FROM pg_catalog.pg_foreign_table AS w WHERE w.ftrelid = c.oid),
  'sequence', CASE WHEN c.relkind = 'S' THEN ${sequence} END,
  'parts', ${parts},
  'partCount', coalesce(${partitionCount}, 0),
  'ownedSequences', ${ownedSequences},
  'rowSecurity', c.relrowsecurity,
  'forcedRowSecurity', c.relforcerowsecurity,
  'activeRowSecurity', pg_catalog.row_security_active(c.oid),
  'policies', ${policies},
  'columns', ${columns},
  'constraints', ${constraints},
  'referencedBy', ${referencedBy},
  'indexes', ${indexes},
  'triggers', ${triggers},
  'rules', ${rules},
  'statistics', ${statistics})`;

const inPath = (name: string) => `CAST(pg_catalog.to_regclass(pg_catalog.quote_ident(${name})) AS pg_catalog.oid)`;

/**
 * It doesn't use to_regclass, which fails for a schema without USAGE, and the other names with it.
 */
const inSchema = (name: string, schema: string) =>
  `(SELECT o.oid FROM pg_catalog.pg_class AS o JOIN pg_catalog.pg_namespace AS s ON s.oid = o.relnamespace
    WHERE o.relname = CAST(${name} AS pg_catalog.name) AND s.nspname = CAST(${schema} AS pg_catalog.name))`;

const describe = (
  withDdl: boolean,
) => `SELECT CAST(pg_catalog.json_build_array(asked.place, ${relation(withDdl)}) AS pg_catalog.text)
FROM pg_catalog.json_array_elements(CAST($1 AS pg_catalog.json)) WITH ORDINALITY AS asked(name, place)
JOIN pg_catalog.pg_class AS c ON c.oid = CASE
  WHEN CAST($2 AS pg_catalog.name) IS NOT NULL THEN ${inSchema('asked.name ->> 0', '$2')}
  ELSE coalesce(${inPath('asked.name ->> 0')}, CASE WHEN asked.name ->> 2 IS NULL THEN ${inPath('asked.name ->> 1')}
    ELSE ${inSchema('asked.name ->> 1', 'asked.name ->> 2')} END) END
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')`;

/** Two, as the parts of a table's DDL cost the server more than the rest of it. */
export const describeSql = { plain: describe(false), withDdl: describe(true) };
