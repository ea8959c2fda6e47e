/**
 * What tells one role another thing than the next, or only some roles: a superuser's read with none
 * of it answers the same as `pg_read_all_data`, and runs as that role. In doubt a name counts,
 * since an answer must never become smaller for it.
 */

import type { QualifiedName } from '../types.ts';
import { isKnownCatalog } from './system-catalogs.ts';

const functions: ReadonlySet<string> = new Set(
  `current_setting current_role current_user getpgusername loread row_security_active session_user system_user user`.split(
    /\s+/,
  ),
);

/**
 * Privileges, other sessions, sizes, large objects, whatever a later server shows to some: none is
 * asked of plain data.
 */
const families = /^(pg_|has_|lo_)/;

/** By its bare name, as PostgreSQL also calls a function by `x.name`. */
export function asksForRole(functionName: string): boolean {
  return functions.has(functionName) || families.test(functionName);
}

/**
 * All that is in `pg_catalog` is named `pg_…`; some of it, and all of `information_schema`, shows
 * only what the role may use.
 */
export function showsByRole(relation: QualifiedName): boolean {
  return isKnownCatalog(relation) || relation.schema === 'pg_toast' || relation.name.startsWith('pg_');
}

/**
 * CURRENT_USER and kin are no calls to the grammar, and neither are CURRENT_DATE and
 * CURRENT_SCHEMA.
 */
export function isRoleValue(tag: string, operation: unknown): boolean {
  return tag === 'SQLValueFunction' && !/DATE|TIME|CATALOG|SCHEMA/.test(String(operation));
}
