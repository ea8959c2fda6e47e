/** Asks on a second session whether a statement waits for a lock, and who holds it. */

import type { CallContext } from '../../engine.ts';
import { heldBy, type LockSeen } from '../../lock-holder.ts';
import { ask } from '../look-up.ts';
import type { Pool } from '../pool.ts';

const answerSeconds = 1;

const question = `SELECT CAST(json_build_object('application', b.application_name, 'user', b.usename,
  'since', to_char(b.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'), 'isIdle', b.state LIKE 'idle%') AS text)
FROM pg_stat_activity AS w LEFT JOIN pg_stat_activity AS b ON b.pid = (pg_blocking_pids(w.pid))[1]
WHERE w.pid = CAST($1 AS int4) AND w.wait_event_type = 'Lock'`;

/** @returns null if it waits for none, or if the server can't be asked. */
export async function lockSeen(pool: Pool, signal: AbortSignal, process: number): Promise<LockSeen | null> {
  const context: CallContext = {
    principal: null,
    client: 'locks',
    database: null,
    schema: null,
    timeoutSeconds: answerSeconds,
    signal,
  };
  const answer = await ask(pool, context, question, [process], true);
  const [told] = answer.kind === 'done' ? answer.value : [];
  return told === undefined ? null : { holder: heldBy(JSON.parse(told)) };
}
