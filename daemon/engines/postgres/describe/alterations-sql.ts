/**
 * What relation c was given after its making, each as SQL without a semicolon, as part of the query
 * behind `describeTables`: what CREATE can't say.
 */

const ofColumns = (line: string, condition: string) =>
  `SELECT 1, a.attnum, pg_catalog.concat('ALTER TABLE ONLY ', whole.name, ' ALTER COLUMN ', pg_catalog.quote_ident(a.attname), ${line})
    FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND ${condition}`;

/** The options that people set: some servers keep a number of their own beside them. */
const columnOptions = `ARRAY(SELECT o FROM pg_catalog.unnest(a.attoptions) AS o WHERE o LIKE 'n\\_distinct%' ORDER BY o)`;

/** PostgreSQL 14 and newer have it. */
const compression = "(pg_catalog.row_to_json(a) ->> 'attcompression')";

/** @param from has `oid`, and `name` as COMMENT takes it. */
const commentsOn = (kind: string, catalog: string, from: string) =>
  `SELECT 3, 0, pg_catalog.concat('COMMENT ON ${kind} ', x.name, ' IS ', pg_catalog.quote_literal(pg_catalog.obj_description(x.oid, '${catalog}')))
    FROM (${from}) AS x WHERE pg_catalog.obj_description(x.oid, '${catalog}') IS NOT NULL`;

const onTable = (name: string) => `pg_catalog.concat(pg_catalog.quote_ident(${name}), ' ON ', whole.name) AS name`;

const inSchema = (name: string, schema: string) =>
  `pg_catalog.concat((SELECT pg_catalog.quote_ident(space.nspname) FROM pg_catalog.pg_namespace AS space WHERE space.oid = ${schema}), '.', pg_catalog.quote_ident(${name})) AS name`;

/** @param qualified the relation's own name. */
export const alterations = (qualified: string) => `ARRAY(SELECT pg_catalog.concat(made.line, ';')
  FROM (SELECT ${qualified} AS name) AS whole CROSS JOIN LATERAL (
    ${ofColumns("' SET DEFAULT ', pg_catalog.pg_get_expr(d.adbin, d.adrelid)", "d.adbin IS NOT NULL AND a.attgenerated = '' AND (c.relkind = 'v' OR NOT a.attislocal AND NOT c.relispartition)")}
    UNION ALL ${ofColumns(
      "' SET NOT NULL'",
      `a.attnotnull AND NOT a.attislocal AND NOT c.relispartition AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits AS h
      JOIN pg_catalog.pg_attribute AS up ON up.attrelid = h.inhparent WHERE h.inhrelid = c.oid AND up.attname = a.attname AND up.attnotnull)`,
    )}
    UNION ALL ${ofColumns("' SET STATISTICS ', a.attstattarget", 'a.attstattarget >= 0')}
    UNION ALL ${ofColumns("' SET STORAGE ', CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END", "a.attstorage <> t.typstorage AND c.relkind IN ('r', 'p', 'f')")}
    UNION ALL ${ofColumns(`' SET COMPRESSION ', CASE ${compression} WHEN 'l' THEN 'lz4' ELSE 'pglz' END`, `${compression} <> ''`)}
    UNION ALL ${ofColumns(`' SET (', pg_catalog.array_to_string(${columnOptions}, ', '), ')'`, `${columnOptions} <> CAST('{}' AS pg_catalog._text)`)}
    UNION ALL SELECT 2, 0, pg_catalog.concat('ALTER TABLE ', whole.name, ' CLUSTER ON ', pg_catalog.quote_ident(i.relname))
      FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid AND x.indisclustered
    UNION ALL SELECT 2, 0, pg_catalog.concat('ALTER TABLE ONLY ', whole.name, ' REPLICA IDENTITY ', CASE c.relreplident WHEN 'n' THEN 'NOTHING' WHEN 'f' THEN 'FULL'
        ELSE (SELECT pg_catalog.concat('USING INDEX ', pg_catalog.quote_ident(i.relname)) FROM pg_catalog.pg_index AS x
          JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid AND x.indisreplident) END)
      WHERE c.relkind IN ('r', 'p', 'm') AND c.relreplident IN ('n', 'f', 'i')
    UNION ALL ${commentsOn('INDEX', 'pg_class', `SELECT i.oid, ${inSchema('i.relname', 'i.relnamespace')} FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid`)}
    UNION ALL ${commentsOn('CONSTRAINT', 'pg_constraint', `SELECT k.oid, ${onTable('k.conname')} FROM pg_catalog.pg_constraint AS k WHERE k.conrelid = c.oid`)}
    UNION ALL ${commentsOn('TRIGGER', 'pg_trigger', `SELECT g.oid, ${onTable('g.tgname')} FROM pg_catalog.pg_trigger AS g WHERE g.tgrelid = c.oid`)}
    UNION ALL ${commentsOn('RULE', 'pg_rewrite', `SELECT u.oid, ${onTable('u.rulename')} FROM pg_catalog.pg_rewrite AS u WHERE u.ev_class = c.oid`)}
    UNION ALL ${commentsOn('POLICY', 'pg_policy', `SELECT o.oid, ${onTable('o.polname')} FROM pg_catalog.pg_policy AS o WHERE o.polrelid = c.oid`)}
    UNION ALL ${commentsOn('STATISTICS', 'pg_statistic_ext', `SELECT s.oid, ${inSchema('s.stxname', 's.stxnamespace')} FROM pg_catalog.pg_statistic_ext AS s WHERE s.stxrelid = c.oid`)}
  ) AS made (place, number, line) ORDER BY made.place, made.number, made.line)`;
