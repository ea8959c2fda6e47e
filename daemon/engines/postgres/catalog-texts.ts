/**
 * Names and comments of relations, columns and routines, for a search: one query, cut in the
 * database.
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
texts (rank, schema, object, kind, comment, attribute, is_comment, content) AS (
  SELECT 1, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, false, CAST(relname AS pg_catalog.text) FROM relations
  UNION ALL SELECT 1, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, false, CAST(relname AS pg_catalog.text) FROM folded
  UNION ALL SELECT 1, nspname, proname, pg_catalog.concat('routine ', prokind), comment, NULL, false, CAST(proname AS pg_catalog.text) FROM routines
  UNION ALL SELECT 2, nspname, relname, CAST(relkind AS pg_catalog.text), comment, NULL, true, comment FROM relations WHERE comment IS NOT NULL
  UNION ALL SELECT 2, nspname, proname, pg_catalog.concat('routine ', prokind), comment, NULL, true, comment FROM routines WHERE comment IS NOT NULL
  UNION ALL SELECT 3, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, a.attname, false, CAST(a.attname AS pg_catalog.text)
    FROM relations AS r JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid
    WHERE a.attnum > 0 AND NOT a.attisdropped AND r.relkind <> 'S'
  UNION ALL SELECT 4, r.nspname, r.relname, CAST(r.relkind AS pg_catalog.text), r.comment, a.attname, true, pg_catalog.left(d.description, ${longestComment})
    FROM relations AS r JOIN pg_catalog.pg_attribute AS a ON a.attrelid = r.oid
    JOIN pg_catalog.pg_description AS d ON d.objoid = r.oid AND d.objsubid = a.attnum
      AND d.classoid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
    WHERE a.attnum > 0 AND NOT a.attisdropped)
SELECT CAST(pg_catalog.json_build_array(schema, object, kind, comment, attribute, is_comment, content) AS pg_catalog.text)
FROM texts
WHERE CAST($2 AS pg_catalog.text) IS NULL OR EXISTS (
  SELECT FROM pg_catalog.json_array_elements_text(CAST($2 AS pg_catalog.json)) AS asked (word)
  WHERE pg_catalog.strpos(pg_catalog.lower(content), word) > 0
    OR (rank = 1 AND pg_catalog.strpos(pg_catalog.lower(CAST(schema AS pg_catalog.text)), word) > 0))
ORDER BY rank, schema, object LIMIT ${mostCatalogTexts}`;

type Row = [string, string, string, string | null, string | null, boolean, string];

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
      const [schema, object, kind, objectComment, column, isComment, text] = JSON.parse(line) as Row;
      return { schema, object, kind: kindOf(kind), objectComment, column, isComment, text };
    }),
  };
}

function kindOf(kind: string): CatalogText['kind'] {
  if (kind.startsWith('routine ')) return kind === 'routine p' ? 'procedure' : 'function';
  return kindOfRelation[kind] ?? 'other';
}
