/**
 * Asks how a transaction ended whose COMMIT was sent and not answered, by its number on its server.
 */

import type { Answer, CallContext, CommitFate, CommitTrace } from '../../engine.ts';
import { ask } from '../look-up.ts';
import type { Pool } from '../pool.ts';
import { serverLife, serverMark } from './server-mark.ts';

const fates: Readonly<Record<string, CommitFate>> = {
  committed: 'done',
  aborted: 'not_done',
  'in progress': 'open',
};

/**
 * Null if the server has forgotten the number. After a crash a committed number may be another
 * transaction's. One that nobody was given since, and nobody holds, was lost with the crash.
 */
const fateSql = `WITH given AS (SELECT CAST($2 AS int8) AS number, COALESCE(${serverLife} = $3, false) AS lives)
SELECT CASE WHEN ${serverMark} <> $1 THEN 'elsewhere'
  WHEN NOT lives AND number >= txid_snapshot_xmax(txid_current_snapshot()) AND NOT EXISTS (SELECT FROM pg_lock_status() AS l
    WHERE l.transactionid = CAST(CAST(mod(number, 4294967296) AS text) AS xid)) THEN 'aborted'
  WHEN NOT lives AND txid_status(number) = 'committed' THEN 'by whom'
  ELSE txid_status(number) END FROM given`;

export async function fateOf(
  pool: Pool,
  context: CallContext,
  { mark = '', life = '', transaction = '' }: CommitTrace,
): Promise<Answer<CommitFate>> {
  const told = await ask(pool, context, fateSql, [mark, transaction, life]);
  return told.kind === 'done' ? { kind: 'done', value: fates[told.value[0] ?? ''] ?? 'untold' } : told;
}
