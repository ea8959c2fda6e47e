/** What a role may read nothing of where the connection hides some tables. */

import { patternOf, type Sight } from '../../../guard/sight.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import type { Answer, CallContext, Database } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

const question = `SELECT CAST(pg_catalog.json_build_array(
  pg_catalog.json_build_object('schema', n.nspname, 'name', p.relname),
  pg_catalog.json_build_object('schema', m.nspname, 'name', c.relname)) AS pg_catalog.text)
FROM pg_catalog.pg_inherits AS i
JOIN pg_catalog.pg_class AS p ON p.oid = i.inhparent JOIN pg_catalog.pg_namespace AS n ON n.oid = p.relnamespace
JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid JOIN pg_catalog.pg_namespace AS m ON m.oid = c.relnamespace`;

type Pair = readonly [parent: QualifiedName, part: QualifiedName];

/** @returns the connection's hidden tables, the parents of their parts, and the views over both. */
export async function hiddenFromRole(
  database: Database,
  context: CallContext,
  sight: Sight,
): Promise<Answer<readonly QualifiedName[]>> {
  const hidden = await hiddenIn(sight);
  if (hidden.kind !== 'done') return hidden;
  const answer = await lookUp(database, { ...context, schema: 'pg_catalog' }, question, []);
  if (answer.kind !== 'done') return answer;
  const pairs = answer.value.map(([text]): Pair => JSON.parse(String(text)));
  const known = new Map(hidden.value.map(each => [keyOf(each), each]));
  const added = parentsOf(known, pairs);
  if (added.length === 0) return hidden;
  const more = await hiddenIn({ ...sight, hide: [...sight.hide, ...added.map(patternOf)] });
  if (more.kind !== 'done') return more;
  // The other parts of an added parent hold no hidden row.
  const parts = new Set(pairs.map(([, part]) => keyOf(part)));
  const over = more.value.filter(each => !parts.has(keyOf(each)));
  return { kind: 'done', value: [...hidden.value, ...added, ...over] };

  async function hiddenIn(asked: Sight): Promise<Answer<readonly QualifiedName[]>> {
    const answer = await database.hiddenTables?.({ ...context, sight: asked });
    if (answer === undefined) return { kind: 'unsupported', message: 'Hidden tables can not be told here.' };
    return answer.kind === 'done' ? { kind: 'done', value: answer.value.tables } : answer;
  }
}

/** Who may read a parent reads the rows of its parts, whatever they are granted there. */
function parentsOf(hidden: ReadonlyMap<string, QualifiedName>, pairs: readonly Pair[]): readonly QualifiedName[] {
  const all = new Map(hidden);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const [parent, part] of pairs) if (all.has(keyOf(part))) all.set(keyOf(parent), parent);
  }
  return [...all].filter(([key]) => !hidden.has(key)).map(([, parent]) => parent);
}

const keyOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);
