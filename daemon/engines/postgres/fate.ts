/**
 * Asks how a transaction ended whose COMMIT was sent and not answered, by its number on its server.
 */

import type { Answer, CallContext, CommitFate, CommitTrace } from '../engine.ts';
import { ask } from './look-up.ts';
import type { Pool } from './pool.ts';
import { serverMark } from './run/server-mark.ts';

const fates: Readonly<Record<string, CommitFate>> = {
  committed: 'done',
  aborted: 'not_done',
  'in progress': 'open',
};

/** No row's text if the server has forgotten the number. */
const fateSql = `SELECT CASE WHEN ${serverMark} = $1 THEN txid_status(CAST($2 AS int8)) ELSE 'elsewhere' END`;

export async function fateOf(
  pool: Pool,
  context: CallContext,
  { mark = '', transaction = '' }: CommitTrace,
): Promise<Answer<CommitFate>> {
  const told = await ask(pool, context, fateSql, [mark, transaction]);
  return told.kind === 'done' ? { kind: 'done', value: fates[told.value[0] ?? ''] ?? 'untold' } : told;
}
