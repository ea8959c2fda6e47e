/**
 * Whether a server is of the kind that the connection asks for (libpq's `target_session_attrs`).
 * Asks the server, as versions before 14 don't report it.
 */

import type { TargetServersWord } from '../../../../shared/target-servers.ts';
import { divisionByZero } from '../failure.ts';
import type { Link } from '../link.ts';
import { DialRefused } from './tls.ts';

const standby = 'pg_catalog.pg_is_in_recovery()';
/** Always on for a standby. */
const readsOnly = "pg_catalog.texteq(pg_catalog.current_setting('transaction_read_only'), 'on')";

const kinds: Readonly<Record<TargetServersWord, { readonly condition: string; readonly otherwise: string }>> = {
  primary: { condition: `NOT ${standby}`, otherwise: 'it is a standby' },
  standby: { condition: standby, otherwise: 'it is no standby' },
  'prefer-standby': { condition: standby, otherwise: 'it is no standby' },
  'read-write': { condition: `NOT ${readsOnly}`, otherwise: 'it only reads' },
  'read-only': { condition: readsOnly, otherwise: 'it takes writes' },
};

/** @returns a clause on what the server is instead; null if it fits. Rejects with DialRefused. */
export async function unfit(link: Link, kind: TargetServersWord, milliseconds: number): Promise<string | null> {
  const { condition, otherwise } = kinds[kind];
  const sql = `SELECT pg_catalog.int4div(1, CAST((${condition}) AS pg_catalog.int4))`;
  const timer = setTimeout(() => link.broken('no answer in time'), milliseconds);
  const end = await link.flight([{ sql, parameters: [] }]);
  clearTimeout(timer);
  if (end.kind === 'ready' && end.error === null) return null;
  if (end.kind === 'ready' && end.error?.code === divisionByZero) return otherwise;
  link.destroy();
  throw new DialRefused(end.kind === 'lost' ? end.reason : 'it did not say whether it is a standby');
}
