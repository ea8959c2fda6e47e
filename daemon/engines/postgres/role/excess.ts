/**
 * What a new role may do on PostgreSQL beyond its purpose. What every role may do isn't its own;
 * the notes tell that.
 */

import type { Answer, CallContext, Database, WantedRole } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

const question = `
SELECT current_user = CAST($1 AS pg_catalog.text),
  me.rolsuper OR me.rolcreaterole OR me.rolcreatedb OR me.rolreplication OR me.rolbypassrls,
  EXISTS (SELECT FROM pg_catalog.pg_auth_members AS m WHERE m.member = me.oid),
  (SELECT pg_catalog.min(CAST(c.oid AS pg_catalog.regclass)::pg_catalog.text) FROM pg_catalog.pg_class AS c
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND EXISTS (
      SELECT FROM pg_catalog.unnest(CAST($2 AS pg_catalog.text[])) AS p (privilege)
      WHERE pg_catalog.has_table_privilege(c.oid, p.privilege) AND NOT pg_catalog.has_table_privilege('public', c.oid, p.privilege)))
FROM pg_catalog.pg_roles AS me WHERE me.rolname = current_user`;

const beyond = {
  readOnly: '{INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}',
  readWrite: '{TRUNCATE,REFERENCES,TRIGGER}',
} as const;

export async function postgresExcess(
  database: Database,
  context: CallContext,
  { name, access }: WantedRole,
): Promise<Answer<string | null>> {
  const answer = await lookUp(database, { ...context, schema: 'pg_catalog' }, question, [name, beyond[access]]);
  if (answer.kind !== 'done') return answer;
  const [isMe, isPrivileged, isMember, table] = answer.value[0] ?? [];
  if (isMe !== true) return { kind: 'done', value: 'the server signs it in as another role' };
  if (isPrivileged !== false) return { kind: 'done', value: 'it has rights over the whole server' };
  if (isMember !== false) return { kind: 'done', value: 'it is a member of another role' };
  return { kind: 'done', value: table === null ? null : `it may do more than it should with ${String(table)}` };
}
