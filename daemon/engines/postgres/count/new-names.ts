/**
 * The questions on names: which of the new ones come before the same name in a later schema of a
 * search path, or turn calls of a function into casts. `definedAfter` finds the names that are
 * there twice, which seldom happens; only then the paths are asked for: this session's, those that
 * roles, databases and functions have, and PostgreSQL's initial one. `$user` in a path is the
 * schema of a role's name.
 */

/** @returns the query for the rows of a catalog that are ours; null if it isn't looked into. */
export type OursIn = (catalog: string) => string | null;

/** What has the name of `c` in another schema, by what it could be taken for. */
const owners = (oursIn: OursIn): readonly string[] =>
  [
    ['pg_class', 'rel', "c.kind = 'relation'"],
    ['pg_type', 'typ', "(c.kind = 'relation' OR c.kind = 'type')"],
    ['pg_collation', 'coll', "c.kind = 'collation'"],
    ['pg_ts_config', 'cfg', "c.kind = 'configuration'"],
    ['pg_ts_dict', 'dict', "c.kind = 'dictionary'"],
  ]
    .filter(([catalog = '']) => oursIn(catalog) !== null)
    .map(
      ([
        catalog,
        prefix,
        isKind,
      ]) => `SELECT CAST(n.nspname AS text) FROM ${catalog} AS o JOIN pg_namespace AS n ON n.oid = o.${prefix}namespace
    WHERE ${isKind} AND o.${prefix}name = c.name AND n.nspname <> c.schema AND n.nspname NOT LIKE 'pg\\_temp%' AND n.nspname NOT LIKE 'pg\\_toast%'`,
    );

/** The first place of a schema in the path `p`; null if it isn't in the path. */
const placeOf = (schema: string): string => `LEAST(array_position(p.schemas, ${schema}),
  CASE WHEN EXISTS (SELECT FROM pg_roles AS a WHERE a.rolname = ${schema}) THEN array_position(p.schemas, '$user') END)`;
const comesFirst = (schema: string, other: string): string =>
  `EXISTS (SELECT FROM path AS p WHERE ${placeOf(schema)} < ${placeOf(other)})`;

const oursOfSchema = (kind: string, catalog: string, prefix: string, where = ''): string =>
  `SELECT '${kind}', x.${prefix}name, CAST(n.nspname AS text) FROM ${catalog} AS x JOIN pg_namespace AS n ON n.oid = x.${prefix}namespace
    WHERE n.nspname NOT LIKE 'pg\\_temp%' AND n.nspname NOT LIKE 'pg\\_toast%'${where} AND x.oid NOT IN (SELECT h.oid FROM held AS h)`;

const ownPath = "x.setting LIKE 'search\\_path=%'";
/** True if the function can be called with one argument: only such a call may be a cast. */
const takesOne = '(p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 OR p.provariadic <> 0)';

/** Parts of the question's WITH; they stand after its `our_…` parts. */
export function namePartsOfQuestion(oursIn: OursIn): string {
  const created = [
    oursOfSchema('relation', 'our_class', 'rel'),
    oursOfSchema('type', 'our_type', 'typ', ' AND x.typrelid = 0'),
    ...[
      ['collation', 'pg_collation', 'coll'] as const,
      ['configuration', 'pg_ts_config', 'cfg'] as const,
      ['dictionary', 'pg_ts_dict', 'dict'] as const,
    ].flatMap(([kind, catalog, prefix]) => {
      const ours = oursIn(catalog);
      return ours === null ? [] : [oursOfSchema(kind, `(${ours})`, prefix)];
    }),
  ];
  const schemas = oursIn('pg_namespace');
  const twice = [
    `SELECT c.kind, c.schema, c.name, o.owner FROM created AS c CROSS JOIN LATERAL unnest(ARRAY(${owners(oursIn).join(' UNION ALL ')})) AS o (owner)`,
    ...(schemas === null
      ? []
      : [
          `SELECT 'schema', CAST(x.nspname AS text), x.nspname, CAST(n.nspname AS text) FROM (${schemas}) AS x CROSS JOIN pg_namespace AS n`,
        ]),
    `SELECT 'cast', c.schema, c.name, CAST(n.nspname AS text)
  FROM created AS c JOIN pg_proc AS p ON p.proname = c.name AND ${takesOne} JOIN pg_namespace AS n ON n.oid = p.pronamespace
  WHERE c.kind = 'type' AND NOT EXISTS (SELECT FROM our_proc AS q WHERE q.oid = p.oid)`,
    `SELECT 'function', CAST(s.nspname AS text), f.proname, CAST(n.nspname AS text)
  FROM our_proc AS f JOIN pg_namespace AS s ON s.oid = f.pronamespace JOIN pg_proc AS p ON p.proname = f.proname
    JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE NOT EXISTS (SELECT FROM our_proc AS q WHERE q.oid = p.oid)`,
  ];
  return `created (kind, name, schema) AS (
  ${created.join(' UNION ALL ')}
), twice (kind, schema, name, "from") AS (
  ${twice.join('\n  UNION ALL ')}
)`;
}

export const namesThereTwice = `COALESCE((SELECT json_agg(row_to_json(t)) FROM twice AS t), '[]')`;

/** Its parameter is what `namesThereTwice` gave. */
export const takenNames = `
WITH twice AS (
  SELECT t.* FROM json_to_recordset(CAST($1 AS json)) AS t (kind text, schema text, name text, "from" text)
), path AS (
  SELECT ARRAY(SELECT CASE WHEN x.item LIKE '"%' THEN replace(btrim(x.item, '"'), '""', '"') ELSE lower(x.item) END
    FROM regexp_split_to_table(btrim(t.setting), '\\s*,\\s*') WITH ORDINALITY AS x (item, place) ORDER BY x.place) AS schemas
  FROM (
    SELECT '"$user", public' UNION SELECT current_setting('sallyport.search_path')
    UNION SELECT s.reset_val FROM pg_settings AS s WHERE s.name = 'search_path'
    UNION SELECT substr(x.setting, 13) FROM pg_db_role_setting AS d CROSS JOIN LATERAL unnest(d.setconfig) AS x (setting)
      WHERE ${ownPath} AND (d.setdatabase = 0 OR d.setdatabase = (SELECT b.oid FROM pg_database AS b WHERE b.datname = current_database()))
    UNION SELECT substr(x.setting, 13) FROM pg_proc AS f CROSS JOIN LATERAL unnest(f.proconfig) AS x (setting)
      WHERE f.proconfig IS NOT NULL AND ${ownPath}
  ) AS t (setting)
), taken AS (
  SELECT DISTINCT ON (t.kind, t.schema, t.name) CASE t.kind WHEN 'cast' THEN 'function' ELSE t.kind END AS kind, t.schema, t.name, t."from"
  FROM twice AS t WHERE CASE t.kind WHEN 'function' THEN true
    WHEN 'cast' THEN EXISTS (SELECT FROM path AS p WHERE ${placeOf('t.schema')} IS NOT NULL)
    ELSE ${comesFirst('t.schema', 't."from"')} END
)
SELECT CAST(COALESCE((SELECT json_agg(row_to_json(t)) FROM taken AS t), '[]') AS text)`;
