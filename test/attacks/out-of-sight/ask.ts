/** Sends statements through `execute_query` as a client that may write and needn't ask. */

import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { executeQuery } from '../../../daemon/clients/mcp/tools/execute-query.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { holdRows } from '../../../daemon/statement/held-rows.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import type { Engine } from '../../../shared/engine.ts';
import { connectionWith, principalWith } from '../../access/principals.ts';
import { unheard, unrecorded } from '../../activity/unrecorded.ts';
import { nobodyAnswers } from '../../clients/mcp/nobody-answers.ts';
import { saidOf } from '../../clients/mcp/said.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';

export interface Asked {
  readonly sql: string;
  readonly schema?: string;
}

export interface Ended extends Asked {
  /** `success`, or the refusal's word and sentence. */
  readonly end: string;
  /** All that the client got. */
  readonly answer: string;
}

const now = Date.parse('2026-11-20T12:00:00Z');
const classifier = judgingInThread();

export async function asked(engine: Engine, database: Database, statements: readonly Asked[]): Promise<Ended[]> {
  const connection = connectionWith({ engine, externalClients: { level: 'readWrite', writeUntil: null } });
  const connections = await loadConnectionRegister({
    load: async () => [connection],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const execute = executeQuery({
    connections,
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    now: () => now,
    elapsed: () => performance.now(),
    ...unrecorded,
    confirmation: nobodyAnswers(() => now),
    held: holdRows(() => performance.now()),
  });
  const ends: Ended[] = [];
  for (const { sql, schema } of statements) {
    const request = {
      principal: principalWith({ scope: 'fullAccess' }),
      client: 'sight',
      signal: new AbortController().signal,
      progress: null,
      requestId: 'r',
      ...unheard,
      channel: { kind: 'none' },
      elicitationReply: null,
    } as const;
    const outcome = await execute.run(request, {
      connection: connection.name,
      sql,
      timeout_seconds: 10,
      max_rows: 500,
      ...(schema !== undefined && { schema }),
    });
    const end = outcome.kind === 'refused' ? saidOf(outcome.refusal) : outcome.kind;
    ends.push({ sql, ...(schema !== undefined && { schema }), end, answer: JSON.stringify(outcome) });
  }
  return ends;
}
