/**
 * What a transaction's number belongs to: a database system and, after a failover, a timeline. Read
 * once a session.
 */

import type { CommitTrace } from '../../engine.ts';
import { flightWithTexts } from '../count/row-count.ts';
import type { RoundTripEnd, Session } from '../session.ts';

/** Fails on a standby, which has no timeline of its own. Qualified, as a role may bend the path. */
export const serverMark = `pg_catalog.concat_ws(' ', (SELECT s.system_identifier FROM pg_catalog.pg_control_system() AS s),
  pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8))`;

/**
 * Outside a transaction: an error would end it.
 * @returns null once it is known whether the server tells.
 */
export async function askMark(session: Session): Promise<Exclude<RoundTripEnd, { readonly kind: 'ready' }> | null> {
  if (session.mark !== undefined) return null;
  const { end, texts } = await flightWithTexts(session, [{ sql: `SELECT ${serverMark}`, parameters: [] }], 0);
  if (end.kind !== 'ready') return end;
  session.mark = texts[0] ?? null;
  return null;
}

/** @param transaction with its epoch; null if it has none. */
export function traceOf({ mark }: Session, transaction: string | null): CommitTrace | null {
  return mark == null || transaction === null ? null : { mark, transaction };
}
