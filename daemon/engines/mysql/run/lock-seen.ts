/** Asks on a second connection whether a statement waits for a lock, and who holds it. */

import { heldBy, type LockSeen } from '../../lock-holder.ts';
import type { Cell } from '../../row-text.ts';
import type { Session } from '../session.ts';
import { rowsOf } from './rows-of.ts';

const since = "DATE_FORMAT(CONVERT_TZ(t.trx_started, @@SESSION.time_zone, '+00:00'), '%Y-%m-%d %H:%i:%s')";

/**
 * Ask who holds a row lock. They need the privilege PROCESS, MySQL's also SELECT on
 * performance_schema.
 */
const holders = {
  mariadb: (thread: number) => `SELECT p.USER, ${since}, p.COMMAND = 'Sleep' FROM information_schema.INNODB_TRX AS w
JOIN information_schema.INNODB_LOCK_WAITS AS l ON l.requesting_trx_id = w.trx_id
JOIN information_schema.INNODB_TRX AS t ON t.trx_id = l.blocking_trx_id
LEFT JOIN information_schema.PROCESSLIST AS p ON p.ID = t.trx_mysql_thread_id
WHERE w.trx_mysql_thread_id = ${thread} LIMIT 1`,
  mysql: (thread: number) => `SELECT b.PROCESSLIST_USER, ${since}, b.PROCESSLIST_COMMAND = 'Sleep'
FROM performance_schema.data_lock_waits AS l
JOIN performance_schema.threads AS w ON w.THREAD_ID = l.REQUESTING_THREAD_ID
JOIN performance_schema.threads AS b ON b.THREAD_ID = l.BLOCKING_THREAD_ID
LEFT JOIN information_schema.INNODB_TRX AS t ON t.trx_mysql_thread_id = b.PROCESSLIST_ID
WHERE w.PROCESSLIST_ID = ${thread} LIMIT 1`,
} as const;

/** Any session sees the state of its own user's; of tables' locks the server tells nothing more. */
const waits = (thread: number) =>
  `SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = ${thread} AND STATE LIKE 'Waiting for % lock'`;

/** @returns null if it waits for none, or if this user may not know. */
export async function lockSeen(session: Session, thread: number): Promise<LockSeen | null> {
  const [holder] = await rowsOf(session, holders[session.server](thread));
  if (holder !== undefined) {
    const [user, when, isIdle] = holder;
    return { holder: heldBy({ user: textOf(user), since: textOf(when), isIdle: Number(isIdle) === 1 }) };
  }
  const waiting = await rowsOf(session, waits(thread));
  return waiting.length > 0 ? { holder: null } : null;
}

function textOf(cell: Cell | undefined): string | null {
  return typeof cell === 'string' ? cell : null;
}
