/**
 * Learns the time limits that a server has of its own for this role and database: our start-up
 * packet hides them, so one session is dialled without ours. The same question tells whether a
 * pooler is between: only a session of our own is set up for longer than a transaction.
 */

import { roundTripWithTexts } from '../count/row-count.ts';
import type { Session } from '../session.ts';
import { sameProcess } from './own-session.ts';
import type { Settings } from './settings.ts';
import { type TimeLimits, unlimited } from './time-limits.ts';

const question = `SELECT CAST(setting AS pg_catalog.text) FROM (
  SELECT name, setting FROM pg_catalog.pg_settings WHERE name OPERATOR(pg_catalog.=) ANY ('{lock_timeout,statement_timeout}')
  UNION ALL SELECT 'process', CAST(pg_catalog.pg_backend_pid() AS pg_catalog.text)) AS asked ORDER BY name`;

interface OwnLimits {
  readonly limits: TimeLimits;
  /** The process that answered; null if the server didn't say. */
  readonly process: number | null;
}

/** @param session dialled without our limits. */
export async function askLimits(session: Session): Promise<OwnLimits> {
  const { texts } = await roundTripWithTexts(session, [{ sql: question, parameters: [] }], 0);
  const [lock = 0, process = 0, statement = 0] = texts.map(text => Number(text) || Number.POSITIVE_INFINITY);
  return texts.length === 3 ? { limits: { statement, lock }, process } : { limits: unlimited, process: null };
}

/**
 * Sets the two limits as a start-up packet would have. It fails in the session of a pooler that was
 * not noticed, where they would stay for others.
 */
export async function setLimits(
  session: Session,
  { statement_timeout: statement = '0', lock_timeout: lock = '0' }: Settings,
  process: number,
): Promise<void> {
  const sql = `SELECT ${sameProcess('$1')}, pg_catalog.set_config('statement_timeout', $2, false), pg_catalog.set_config('lock_timeout', $3, false)`;
  session.restoring = [{ sql, parameters: [process, statement, lock] }];
  await session.roundTrip(session.restoring);
}
