/** Runs a statement as `execute_query` does for a client, on a Read Only connection. */

import type { Database } from '../../daemon/engines/engine.ts';
import { callOf } from '../../daemon/statement/call.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import { type RunPorts, runStatement } from '../../daemon/statement/run-statement.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker, unrecorded } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';

const classifier = judgingInThread();

/** @returns `done`, or the refusal's word and sentence. */
export async function readAsAClient(database: Database, sql: string): Promise<string> {
  const ports: RunPorts = {
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    elapsed: () => performance.now(),
    ...unrecorded,
  };
  const level = 'readOnly';
  const call = callOf(ports, {
    reached: {
      connection: connectionWith({
        externalClients: { level, writeUntil: null },
      }),
      access: { kind: 'visible', level, limitedBy: 'connection', askFirst: false },
    },
    ...{ asker: someAsker, client: 'test', sql },
    signal: new AbortController().signal,
  });
  const result = await runStatement(ports, 'execute_query', call);
  if (result.kind === 'done') return 'done';
  return saidOf(result.refusal);
}
