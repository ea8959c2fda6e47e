/**
 * Which relations and functions a connection hides: those that its patterns name, and with them
 * their partitions, children and sequences, and the views and functions over them, as far as the
 * catalog knows without reading code.
 */

import { isHidden, isShown, type Sight } from '../../../guard/sight.ts';
import type { Answer, CallContext, HiddenTables } from '../../engine.ts';
import { ask } from '../look-up.ts';
import type { Pool } from '../pool.ts';

/** Each object with its number and those that it is hidden with. */
const sql = `SELECT CAST(pg_catalog.json_build_array(o.id, n.nspname, o.name,
  ARRAY(SELECT CAST(i.inhparent AS pg_catalog.int8) FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = o.oid
    UNION SELECT CAST(d.refobjid AS pg_catalog.int8) FROM pg_catalog.pg_depend AS d
      WHERE o.kind = 'S' AND d.objid = o.oid AND d.deptype IN ('a', 'i')
        AND d.classid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)
        AND d.refclassid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)),
  ARRAY(SELECT DISTINCT CAST(d.refobjid AS pg_catalog.int8) FROM pg_catalog.pg_rewrite AS r
      JOIN pg_catalog.pg_depend AS d ON d.classid = CAST('pg_catalog.pg_rewrite' AS pg_catalog.regclass) AND d.objid = r.oid
      WHERE o.kind IN ('v', 'm') AND r.ev_class = o.oid AND d.refobjid <> o.oid
        AND d.refclassid IN (CAST('pg_catalog.pg_class' AS pg_catalog.regclass), CAST('pg_catalog.pg_proc' AS pg_catalog.regclass))
    UNION SELECT CAST(d.refobjid AS pg_catalog.int8) FROM pg_catalog.pg_depend AS d
      WHERE o.kind = 'function' AND d.classid = CAST('pg_catalog.pg_proc' AS pg_catalog.regclass) AND d.objid = o.oid
        AND d.refclassid = CAST('pg_catalog.pg_class' AS pg_catalog.regclass)),
  o.body) AS pg_catalog.text)
FROM (SELECT CAST(c.oid AS pg_catalog.int8) AS id, c.oid, c.relname AS name, c.relnamespace AS schema,
      CAST(c.relkind AS pg_catalog.text) AS kind, NULL AS body
    FROM pg_catalog.pg_class AS c WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  UNION ALL SELECT CAST(p.oid AS pg_catalog.int8), p.oid, p.proname, p.pronamespace, 'function', pg_catalog.left(p.prosrc, 100000)
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    WHERE l.lanname NOT IN ('internal', 'c') AND p.oid >= CAST(16384 AS pg_catalog.oid)) AS o
JOIN pg_catalog.pg_namespace AS n ON n.oid = o.schema
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND o.oid >= CAST(16384 AS pg_catalog.oid)`;

type Line = [
  id: number,
  schema: string,
  name: string,
  above: readonly number[],
  over: readonly number[],
  body: string | null,
];

export async function hiddenTables(pool: Pool, context: CallContext, sight: Sight): Promise<Answer<HiddenTables>> {
  const answer = await ask(pool, context, sql, []);
  if (answer.kind !== 'done') return answer;
  const lines = answer.value.map(line => JSON.parse(line) as Line);
  const known = new Map(lines.map(line => [line[0], line]));
  const hidden = new Set<number>();
  const above = (line: Line): readonly Line[] => {
    const found = new Set<Line>([line]);
    for (const one of found)
      for (const id of one[3]) {
        const parent = known.get(id);
        if (parent !== undefined) found.add(parent);
      }
    return [...found];
  };
  const shown = new Set(lines.filter(line => above(line).some(([, schema, name]) => isShown(sight, schema, name))));
  for (const line of lines) {
    const [id, schema, name, , , body] = line;
    // A function is hidden by what it reads, or by its own name.
    const isNamed = isHidden(body === null ? sight : { ...sight, only: [] }, schema, name);
    const parts = above(line);
    const isWith = parts.length > 1 && parts.some(part => isHidden(sight, part[1], part[2]));
    if (!shown.has(line) && (isNamed || isWith)) hidden.add(id);
  }
  // With a list of what is met, a part is met with its table.
  for (const line of lines) {
    const [id, schema, name] = line;
    const byList = !isHidden({ ...sight, only: [] }, schema, name);
    const parts = above(line).slice(1);
    if (byList && parts.length > 0 && parts.every(([part]) => !hidden.has(part))) hidden.delete(id);
  }
  const names = new Set([...hidden].map(id => known.get(id)?.[2]));
  for (let before = -1; before !== hidden.size; ) {
    before = hidden.size;
    for (const line of lines) {
      const [id, , , , over, body] = line;
      if (shown.has(line) || hidden.has(id)) continue;
      const tells = body !== null && wordsOf(body).some(word => names.has(word));
      if (!tells && !over.some(each => hidden.has(each)) && !above(line).some(([part]) => hidden.has(part))) continue;
      hidden.add(id);
      names.add(line[2]);
    }
  }
  const tables = [...hidden].flatMap(id => {
    const line = known.get(id);
    return line === undefined ? [] : [{ schema: line[1], name: line[2] }];
  });
  const seen = new Set(lines.filter(([id]) => !hidden.has(id)).map(([, , name]) => name));
  const bareNames = tables.map(({ name }) => name).filter(name => !seen.has(name));
  return { kind: 'done', value: { tables, bareNames } };
}

/** The names in a function's body; a name that isn't quoted is folded. */
function wordsOf(body: string): readonly string[] {
  return [...body.matchAll(/"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*)/gu)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? (bare ?? '').toLowerCase(),
  );
}
