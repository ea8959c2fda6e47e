/**
 * Learns the time limits that a server has of its own for this role and database: our start-up
 * packet hides them, so one session is dialled without ours.
 */

import { flightWithTexts } from '../count/row-count.ts';
import type { Session } from '../session.ts';
import { sameProcess } from './own-session.ts';
import type { Settings } from './settings.ts';
import { type TimeLimits, unlimited } from './time-limits.ts';

const question = `SELECT CAST(setting AS pg_catalog.text) FROM pg_catalog.pg_settings
WHERE name OPERATOR(pg_catalog.=) ANY ('{lock_timeout,statement_timeout}') ORDER BY name`;

/** @param session dialled without our limits. */
export async function askLimits(session: Session): Promise<TimeLimits> {
  const { texts } = await flightWithTexts(session, [{ sql: question, parameters: [] }], 0);
  const [lock = 0, statement = 0] = texts.map(text => Number(text) || Number.POSITIVE_INFINITY);
  return texts.length === 2 ? { statement, lock } : unlimited;
}

/**
 * Sets the two limits as a start-up packet would have. It fails in the session of a pooler, where
 * they would stay for others.
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
