/**
 * The role that a superuser's reads run as: it reads every table and sequence, and may do nothing
 * else. PostgreSQL 14 and newer. The role ends with its transaction, so it holds behind a pooler
 * too.
 */

import type { StatementRequest } from '../../engine.ts';
import type { Link } from '../link.ts';

/**
 * For the settings' query, behind the search path. The role stays where this one isn't there or may
 * not be taken, where bare names would mean others without a schema called like the role
 * (`"$user"`), and where temporary files go to a tablespace that this one may not write to. Every
 * name is qualified, because a role's search_path may hold anything.
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
 * For a read that turns out to need more. It isn't run again as the superuser: what the role
 * stopped would then run.
 */
export const readerRoleAdvice =
  'Reads of a superuser run as pg_read_all_data, which may read every table and nothing else.';

/** A server that doesn't say who is superuser is asked in the call. */
export function isReader(
  { mayRunAsReader }: Pick<StatementRequest, 'mayRunAsReader'>,
  { isSuperuser }: Pick<Link, 'isSuperuser'>,
): boolean {
  return mayRunAsReader === true && isSuperuser !== false;
}
