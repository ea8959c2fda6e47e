/**
 * What tells one role something else than the next, or tells only some roles anything. A
 * superuser's read without any of it gets the same answer as `pg_read_all_data`, and runs as that
 * role. In doubt, a name counts, since no answer may become smaller for it.
 */

import type { QualifiedName } from '../types.ts';
import { isKnownCatalog } from './system-catalogs.ts';

const functions: ReadonlySet<string> = new Set(
  `current_setting current_role current_user getpgusername loread row_security_active session_user system_user user`.split(
    /\s+/,
  ),
);

/**
 * Privileges, other sessions, sizes, large objects, whatever a later server shows to some. Queries
 * on plain data use none of them.
 */
const families = /^(pg_|has_|lo_)/;

/** Goes by the bare name, as PostgreSQL also calls a function by `x.name`. */
export function asksForRole(functionName: string): boolean {
  return functions.has(functionName) || families.test(functionName);
}

/**
 * Everything in `pg_catalog` is named `pg_…`. Some of it, and all of `information_schema`, shows
 * only what the role may use.
 */
export function showsByRole(relation: QualifiedName): boolean {
  return isKnownCatalog(relation) || relation.schema === 'pg_toast' || relation.name.startsWith('pg_');
}

/**
 * To the grammar, CURRENT_USER and its kin aren't calls. Neither are CURRENT_DATE and
 * CURRENT_SCHEMA, which don't depend on the role.
 */
export function isRoleValue(tag: string, operation: unknown): boolean {
  return tag === 'SQLValueFunction' && !/DATE|TIME|CATALOG|SCHEMA/.test(String(operation));
}
