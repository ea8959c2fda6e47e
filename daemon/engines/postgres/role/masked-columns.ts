/** Which columns of which tables a role may be granted where the connection masks some. */

import type { Masks } from '../../../guard/masks.ts';
import { maskedOf } from '../../../guard/postgres/judge-masks.ts';
import type { ReachedRelation } from '../../../guard/postgres/reach-facts.ts';
import { isShown, patternOf, wholeSight } from '../../../guard/sight.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import type { Answer, CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

export interface MaskedTables {
  /** What may be read of a table with a masked column; null for one without. */
  readable(schema: string, table: string): readonly string[] | null;
  /** True for a view over such a table that nobody shows: it reads with its owner's rights. */
  isOver(schema: string, name: string): boolean;
}

type Relation = Pick<ReachedRelation, 'schema' | 'name' | 'above' | 'columns'> & { readonly isView: boolean };

const question = `SELECT CAST(pg_catalog.json_build_object('schema', n.nspname, 'name', c.relname,
  'isView', c.relkind IN ('v', 'm'), 'columns', (SELECT COALESCE(pg_catalog.json_agg(pg_catalog.json_build_object('name', a.attname,
      'generated', CASE WHEN a.attgenerated <> '' THEN pg_catalog.pg_get_expr(d.adbin, d.adrelid) END) ORDER BY a.attnum), '[]')
    FROM pg_catalog.pg_attribute AS a LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'above', (WITH RECURSIVE above (oid) AS (
      SELECT i.inhparent FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid
      UNION SELECT i.inhparent FROM above JOIN pg_catalog.pg_inherits AS i ON i.inhrelid = above.oid)
    SELECT COALESCE(pg_catalog.json_agg(pg_catalog.json_build_object('schema', m.nspname, 'name', u.relname)), '[]')
    FROM above JOIN pg_catalog.pg_class AS u ON u.oid = above.oid
    JOIN pg_catalog.pg_namespace AS m ON m.oid = u.relnamespace)) AS pg_catalog.text)
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema'
AND NOT pg_catalog.starts_with(CAST(n.nspname AS pg_catalog.text), 'pg_')`;

export async function maskedTables(
  database: Database,
  context: CallContext,
  masks: Masks,
): Promise<Answer<MaskedTables>> {
  const answer = await lookUp(database, { ...context, schema: 'pg_catalog' }, question, []);
  if (answer.kind !== 'done') return answer;
  const readable = new Map<string, readonly string[]>();
  const views = new Set<string>();
  const hide: string[] = [];
  const relations = answer.value.map(([text]): Relation => JSON.parse(String(text)));
  const maskedBy = new Map(
    relations.map(relation => [keyOf(relation), new Set(maskedOf(relation, masks).map(({ column }) => column))]),
  );
  // Who may read a column of a parent reads that of its children, whatever they are granted.
  for (const relation of relations)
    for (const parent of relation.above)
      for (const column of maskedBy.get(keyOf(relation)) ?? []) maskedBy.get(keyOf(parent))?.add(column);
  for (const relation of relations) {
    const masked = maskedBy.get(keyOf(relation)) ?? new Set();
    const { schema, name, columns = [], isView } = relation;
    if (!columns.some(column => masked.has(column.name))) continue;
    // Its other columns may show the same under names of their own.
    if (isView && !isShown({ ...wholeSight, show: masks.show }, schema, name)) views.add(keyOf(relation));
    else
      readable.set(
        keyOf(relation),
        columns.map(column => column.name).filter(column => !masked.has(column)),
      );
    hide.push(patternOf(relation));
  }
  const over = await database.hiddenTables?.({ ...context, sight: { hide, only: [], show: masks.show } });
  if (over === undefined || over.kind !== 'done')
    return over ?? { kind: 'unsupported', message: 'Masked columns can not be told here.' };
  const isOver = new Set([...over.value.tables.map(keyOf), ...views]);
  return {
    kind: 'done',
    value: {
      readable: (schema, name) => readable.get(keyOf({ schema, name })) ?? null,
      isOver: (schema, name) => isOver.has(keyOf({ schema, name })) && !readable.has(keyOf({ schema, name })),
    },
  };
}

const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
