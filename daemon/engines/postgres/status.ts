/** Tells who we are on the server, and warns about roles that no read-only transaction can hold. */

import type { Answer, CallContext } from '../engine.ts';
import type { WithoutWall } from '../read-wall-status.ts';
import { splitWarning } from './failure.ts';
import { ask } from './look-up.ts';
import { isSession, type Pool } from './pool.ts';
import { giveBack } from './run/session-setup.ts';

/**
 * Membership counts even if it needs SET ROLE, and the role that signed in even if its settings
 * name another: a statement could run that, or RESET ROLE. Names from user.c, since PostgreSQL 11.
 */
const statusSql = `SELECT CAST(pg_catalog.json_build_object(
  'version', pg_catalog.current_setting('server_version'),
  'whole', pg_catalog.version(),
  'user', current_user,
  'database', pg_catalog.current_database(),
  'schema', (
    SELECT CAST(path.name AS pg_catalog.text)
    FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS path(name, place)
    WHERE path.name <> 'pg_catalog' ORDER BY path.place LIMIT 1),
  'signedInAs', session_user,
  'superuser', (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = session_user),
  'memberships', ARRAY(
    SELECT CAST(r.rolname AS pg_catalog.text) FROM pg_catalog.pg_roles AS r
    WHERE r.rolname = ANY (CAST($1 AS pg_catalog.name[]))
      AND pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER') ORDER BY r.rolname),
  'mayWrite', EXISTS (
    SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND pg_catalog.has_table_privilege(session_user, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
    AND NOT pg_catalog.has_table_privilege('public', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')),
  'ownReads', CASE WHEN pg_catalog.to_regrole('pg_read_all_data') IS NULL THEN 0 ELSE (
    SELECT pg_catalog.count(*) FROM pg_catalog.pg_class AS c
    WHERE c.relrowsecurity OR c.relkind = 'f') END
) AS pg_catalog.text)`;

interface StatusRow {
  readonly version: string;
  readonly whole: string;
  readonly user: string | null;
  readonly signedInAs: string | null;
  readonly database: string | null;
  readonly schema: string | null;
  readonly superuser: boolean | null;
  readonly memberships: readonly string[];
  readonly mayWrite: boolean;
  /** Number of tables that a superuser's reads keep the own role for (run/reader-role.ts). */
  readonly ownReads: number;
}

const dangers: Readonly<Record<string, string>> = {
  pg_read_server_files: 'may read files of the server',
  pg_write_server_files: 'may write files of the server',
  pg_execute_server_program: 'may run programs on the server',
};

export async function status(pool: Pool, context: CallContext): Promise<Answer<WithoutWall>> {
  const startedAt = pool.ports.now();
  const answer = await ask(pool, context, statusSql, [`{${Object.keys(dangers).join(',')}}`]);
  if (answer.kind !== 'done') return answer;
  const latencyMilliseconds = pool.ports.now() - startedAt;
  const row: StatusRow = JSON.parse(answer.value[0] ?? '{}');
  const split = (await splitsTransactions(pool, context)) ? [splitWarning] : [];
  return {
    kind: 'done',
    value: {
      serverVersion: namedVersion(row.version, row.whole),
      currentUser: row.user,
      currentDatabase: row.database,
      currentSchema: row.schema,
      latencyMilliseconds,
      warnings: [...split, ...warnings(row)],
      mayWrite: row.mayWrite,
    },
  };
}

/**
 * The packager's own version may follow (`15.18 (Debian 15.18-0+deb12u1)`). A server that is almost
 * PostgreSQL names itself in the long text alone: before the number (`CockroachDB CCL v24.3.1 (…)`)
 * or at its end (`…, Redshift 1.0.12103`).
 * @param whole what `version()` says.
 */
export function namedVersion(version: string, whole: string): string {
  if (!whole.startsWith('PostgreSQL')) return (whole.split(' (')[0] ?? whole).slice(0, 80);
  const named = `PostgreSQL ${version.split(' ')[0]}`;
  const last = whole.split(', ').at(-1) ?? '';
  return /^[A-Za-z]+ v?\d/.test(last) ? `${last}, almost ${named}` : named;
}

/** True if a transaction can't go on in a second round trip. Asked behind a pooler only. */
async function splitsTransactions(pool: Pool, context: CallContext): Promise<boolean> {
  const session = await pool.acquire(context, 'any');
  if (!isSession(session)) return false;
  if (session.own !== null) {
    pool.release(session);
    return false;
  }
  const timer = setTimeout(() => session.destroy(), context.timeoutSeconds * 1_000);
  const begun = await session.roundTrip([{ sql: 'BEGIN', parameters: [] }]);
  clearTimeout(timer);
  if (begun.kind === 'ready') pool.returning(giveBack(pool, session));
  return begun.kind === 'lost' && begun.code === protocolViolation;
}

const protocolViolation = '08P01';

function warnings(row: StatusRow): string[] {
  const role = row.signedInAs ?? 'this role';
  if (row.superuser === true) {
    return [
      `The role ${role} is a superuser: PostgreSQL's own read-only wall does not hold it back from files and programs of the server. Use a role with fewer rights.`,
      ...(row.ownReads > 0 ? [ownReadsWarning(row.ownReads)] : []),
    ];
  }
  return row.memberships.map(
    membership =>
      `The role ${role} ${dangers[membership] ?? 'has more rights than it needs'} (member of ${membership}).`,
  );
}

function ownReadsWarning(tables: number): string {
  const what = tables === 1 ? 'One table has' : `${tables} tables have`;
  const foreign = tables === 1 ? 'is a foreign table' : 'are foreign tables';
  return `${what} row-level security or ${foreign}: what reads them keeps the superuser's rights, since pg_read_all_data, as which other reads run, could be given another answer.`;
}
