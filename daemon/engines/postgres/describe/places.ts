/** The schemas and databases that a connection may look in. */

import type { Answer, CallContext, Places } from '../../engine.ts';
import { ask } from '../look-up.ts';
import type { Pool } from '../pool.ts';
import { schemaAsked } from '../schema.ts';

/** `reset_val` is the path that a session of this role starts with; our questions are asked under another. */
const placesSql = `SELECT CAST(pg_catalog.json_build_object(
  'path', (SELECT s.reset_val FROM pg_catalog.pg_settings AS s WHERE s.name = 'search_path'),
  'user', CURRENT_USER,
  'schemas', ARRAY(SELECT CAST(n.nspname AS pg_catalog.text) FROM pg_catalog.pg_namespace AS n WHERE ${schemaAsked} ORDER BY n.nspname),
  'databases', ARRAY(SELECT CAST(d.datname AS pg_catalog.text) FROM pg_catalog.pg_database AS d
    WHERE d.datallowconn AND NOT d.datistemplate AND pg_catalog.has_database_privilege(d.oid, 'CONNECT') ORDER BY d.datname)
) AS pg_catalog.text)`;

export async function places(pool: Pool, context: CallContext, databases: 'own' | 'all'): Promise<Answer<Places>> {
  const answer = await ask(pool, context, placesSql, [null]);
  if (answer.kind !== 'done') return answer;
  const found = JSON.parse(answer.value[0] ?? '{}') as Places & { readonly path: string; readonly user: string };
  const path = (found.path.match(/"(?:[^"]|"")*"|[^\s,]+/g) ?? []).map(entry => {
    const name = entry.startsWith('"') ? entry.slice(1, -1).replaceAll('""', '"') : entry;
    return name === '$user' ? found.user : name;
  });
  const first = path.filter(name => found.schemas.includes(name));
  const rest = found.schemas.filter(name => !first.includes(name));
  const several = databases === 'all' && found.databases.length > 1;
  return {
    kind: 'done',
    value: { schemas: [...new Set([...first, ...rest])], databases: several ? found.databases : [] },
  };
}
