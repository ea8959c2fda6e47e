/**
 * Names and comments of relations, columns, routines and types, and the names of constraints and
 * indexes, for a search: one query, cut in the database.
 */

import { type Answer, type CallContext, type CatalogText, mostCatalogTexts } from '../engine.ts';
import { ask } from './look-up.ts';
import type { Pool } from './pool.ts';
import { kindOfRelation, listedRelations, longestComment, relationsWithTheirTable, schemaAsked } from './schema.ts';

/**
 * A table listed under another is found only by its whole name (not by a search word whose plural
 * was cut). An extension's functions are left out like the system's.
 */
const textsSql = `WITH relations AS MATERIALIZED (
  SELECT c.oid, n.nspname, c.relname, c.relkind, pg_catalog.left(pg_catalog.obj_description(c.oid, 'pg_class'), ${longestComment}) AS comment
  ${listedRelations}),
folded AS MATERIALIZED (
  SELECT n.nspname, c.relname, c.relkind, pg_catalog.left(pg_catalog.obj_description(c.oid, 'pg_class'), ${longestComment}) AS comment
  ${relationsWithTheirTable} AND pg_catalog.lower(CAST(c.relname AS pg_catalog.text)) = ANY (ARRAY(
    SELECT pg_catalog.concat(asked.word, ended.by) FROM pg_catalog.json_array_elements_text(CAST($2 AS pg_catalog.json)) AS asked (word)
    CROSS JOIN (VALUES (''), ('s'), ('es'), ('ies')) AS ended (by)))),
routines AS MATERIALIZED (
  SELECT n.nspname, p.proname, p.prokind, pg_catalog.left(pg_catalog.obj_description(p.oid, 'pg_proc'), ${longestComment}) AS comment
  FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
  WHERE ${schemaAsked} AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = CAST('pg_catalog.pg_proc' AS pg_catalog.regclass)
      AND d.objid = p.oid AND d.deptype = 'e')),
types AS MATERIALIZED (
  SELECT n.nspname, t.typname, pg_catalog.left(pg_catalog.obj_description(t.oid, 'pg_type'), ${longestComment}) AS comment
  FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
  WHERE t.typtype IN ('e', 'd', 'r') AND ${schemaAsked}),
texts (rank, schema, object, kind, comment, attribute, is_comment, content, part) AS (
  SELECT 1, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, false, CAST(relname AS pg_catalog.text), NULL FROM relations
  UNION ALL SELECT 1, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, false, CAST(relname AS pg_catalog.text), NULL FROM folded
  UNION ALL SELECT 1, nspname, proname, pg_catalog.concat('routine ', prokind), comment, NULL, false, CAST(proname AS pg_catalog.text), NULL FROM routines
  UNION ALL SELECT 1, nspname, typname, 'type', comment, NULL, false, CAST(typname AS pg_catalog.text), NULL FROM types
  UNION ALL SELECT 2, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, true, comment, NULL FROM relations WHERE comment IS NOT NULL
  UNION ALL SELECT 2, nspname, proname, pg_catalog.concat('routine ', prokind), comment, NULL, true, comment, NULL FROM routines WHERE comment IS NOT NULL
  UNION ALL SELECT 2, nspname, typname, 'type', comment, NULL, true, comment, NULL FROM types WHERE comment IS NOT NULL
  UNION ALL SELECT 3, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, a.attname, false, CAST(a.attname AS pg_catalog.text), NULL
    FROM relations AS r JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND r.relkind <> 'S'
  UNION ALL SELECT 4, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, a.attname, true, pg_catalog.left(d.description, ${longestComment}), NULL
    FROM relations AS r JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid
    JOIN pg_catalog.pg_description AS d ON d.objoid = r.oid AND d.objsubid = a.attnum
      AND d.classoid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
    WHERE a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 5, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, NULL, false, CAST(k.conname AS pg_catalog.text), 'constraint'
    FROM relations AS r JOIN pg_catalog.pg_constraint AS k ON k.conrelid = r.oid AND k.contype <> 'n'
  UNION ALL SELECT 5, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, NULL, false, CAST(i.relname AS pg_catalog.text), 'index'
    FROM relations AS r JOIN pg_catalog.pg_index AS x ON x.indrelid = r.oid JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS k WHERE k.conindid = i.oid))
SELECT CAST(pg_catalog.json_build_array(schema, object, kind, comment, attribute, is_comment, content, part) AS pg_catalog.text)
FROM texts
WHERE CAST($2 AS pg_catalog.text) IS NULL OR EXISTS (
  SELECT FROM pg_catalog.json_array_elements_text(CAST($2 AS pg_catalog.json)) AS asked (word)
  WHERE pg_catalog.strpos(pg_catalog.lower(content), word) > 0
    OR (rank = 1 AND pg_catalog.strpos(pg_catalog.lower(CAST(schema AS pg_catalog.text)), word) > 0))
ORDER BY rank, schema, object LIMIT ${mostCatalogTexts}`;

type Row = [
  string,
  string,
  string,
  string | null,
  string | null,
  boolean,
  string,
  NonNullable<CatalogText['part']> | null,
];

export async function catalogTexts(
  pool: Pool,
  context: CallContext,
  words: readonly string[] | null,
): Promise<Answer<readonly CatalogText[]>> {
  const answer = await ask(pool, context, textsSql, [context.schema, words && JSON.stringify(words)]);
  if (answer.kind !== 'done') return answer;
  return {
    kind: 'done',
    value: answer.value.map(line => {
      const [schema, object, kind, objectComment, column, isComment, text, part] = JSON.parse(line) as Row;
      return {
        ...{ schema, object, kind: kindOf(kind), objectComment, column, isComment, text },
        ...(part !== null && { part }),
      };
    }),
  };
}

function kindOf(kind: string): CatalogText['kind'] {
  if (kind.startsWith('routine ')) return kind === 'routine p' ? 'procedure' : 'function';
  return kind === 'type' ? kind : (kindOfRelation[kind] ?? 'other');
}
