/**
 * What a transaction's number belongs to: a database system, after a failover a timeline, and a
 * life of the server: after a crash it gives away again numbers that weren't on disk. Read once a
 * session; behind a pooler before each write, as its server may be another by then.
 */

import type { CommitTrace } from '../../engine.ts';
import { roundTripWithTexts } from '../count/row-count.ts';
import type { RoundTripEnd, Session } from '../session.ts';

/** Fails on a standby, which has no timeline of its own. Qualified, as a role may bend the path. */
export const serverMark = `pg_catalog.concat_ws(' ', (SELECT s.system_identifier FROM pg_catalog.pg_control_system() AS s),
  pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8))`;

/** The statistics begin anew with a crash, and at no other start. */
export const serverLife =
  "pg_catalog.encode(pg_catalog.timestamptz_send(pg_catalog.pg_stat_get_bgwriter_stat_reset_time()), 'hex')";

const askBoth = `SELECT pg_catalog.concat_ws(' ', ${serverMark}, ${serverLife})`;

/**
 * Outside a transaction: an error would end it.
 * @returns null once it is known whether the server tells.
 */
export async function askMark(session: Session): Promise<Exclude<RoundTripEnd, { readonly kind: 'ready' }> | null> {
  if (session.mark !== undefined && session.own !== null) return null;
  const { end, texts } = await roundTripWithTexts(session, [{ sql: askBoth, parameters: [] }], 0);
  if (end.kind !== 'ready') return end;
  session.mark = texts[0] ?? null;
  return null;
}

/** @param transaction with its epoch; null if it has none. */
export function traceOf({ mark }: Session, transaction: string | null): CommitTrace | null {
  if (mark == null || transaction === null) return null;
  const [system, timeline, life = ''] = mark.split(' ');
  return { mark: `${system} ${timeline}`, life, transaction };
}
