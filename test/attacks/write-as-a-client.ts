/**
 * Runs a statement as `execute_query` does for a client that may write, on a test's own `Database`,
 * with a row count of its own.
 */

import type { Connection } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { callOf } from '../../daemon/statement/call.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type RunPorts, runStatement } from '../../daemon/statement/run-statement.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker, unkeptAccount, unrecorded } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';

const classifier = judgingInThread();

/**
 * @returns a client that has changed nothing yet; it answers `done`, or the refusal's word and
 *   sentence.
 */
export function writingClient(
  database: () => Database,
  changes: Partial<Connection> = {},
): (sql: string) => Promise<string> {
  const ports: Omit<RunPorts, 'databases'> = {
    ...unrecorded,
    classifier,
    limits: () => defaultQueryLimits,
    elapsed: () => performance.now(),
    changedRows: unkeptAccount(),
  };
  return async sql => {
    const opened = database();
    const databases = { of: () => opened, forget: async () => {}, close: async () => {} };
    const level = 'readWrite';
    const opening: RunPorts = { ...ports, databases };
    const call = callOf(opening, {
      reached: {
        connection: connectionWith({ externalClients: { level, writeUntil: null }, ...changes }),
        access: { kind: 'visible', level, limitedBy: 'nothing', askFirst: false },
      },
      ...{ asker: someAsker, client: 'test', sql },
      signal: new AbortController().signal,
    });
    const result = await runStatement(opening, 'execute_query', call);
    if (result.kind === 'done') return 'done';
    return saidOf(result.refusal);
  };
}
