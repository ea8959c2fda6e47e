/**
 * The role for a superuser's reads: it may read every table and sequence and do nothing else
 * (PostgreSQL 14 and newer). It ends with its transaction, so it works behind a pooler too.
 */

import type { StatementRequest } from '../../engine.ts';
import type { Link } from '../link.ts';

/**
 * Part of the settings' query, after the search path. The superuser's own role stays if the reader
 * role is missing or can't be taken, if bare names would mean others (a schema called like the
 * role, `"$user"`), or if temporary files go to a tablespace that the reader role can't write to.
 * Every name is qualified, because a role's search_path may hold anything.
 */
export const readerRoleCall = `pg_catalog.set_config('role', CASE
  WHEN pg_catalog.current_setting('is_superuser') OPERATOR(pg_catalog.=) 'on'
    AND pg_catalog.current_setting('role') OPERATOR(pg_catalog.=) 'none'
    AND pg_catalog.pg_has_role(session_user, pg_catalog.to_regrole('pg_read_all_data'), 'MEMBER')
    AND NOT session_user OPERATOR(pg_catalog.=) ANY (pg_catalog.current_schemas(false))
    AND pg_catalog.current_setting('temp_tablespaces') OPERATOR(pg_catalog.=) ''
  THEN 'pg_read_all_data' ELSE pg_catalog.current_setting('role') END, true)`;

export const insufficientPrivilege = '42501';

/**
 * Advice for a read that needs more rights. It isn't repeated as the superuser, which would run
 * what the role has stopped.
 */
export const readerRoleAdvice =
  'Reads of a superuser run as pg_read_all_data, which may read every table and nothing else.';

/** A server that doesn't report superusers is asked in the call. */
export function isReader(
  { mayRunAsReader }: Pick<StatementRequest, 'mayRunAsReader'>,
  { isSuperuser }: Pick<Link, 'isSuperuser'>,
): boolean {
  return mayRunAsReader === true && isSuperuser !== false;
}
