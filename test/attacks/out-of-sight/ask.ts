/** Sends statements through `execute_query` as a client that may write and needn't ask. */

import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { confirmDestructiveOperation } from '../../../daemon/clients/mcp/tools/confirm-destructive-operation.ts';
import { executeQuery } from '../../../daemon/clients/mcp/tools/execute-query.ts';
import { previewWriteTool } from '../../../daemon/clients/mcp/tools/preview-write.ts';
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

async function portsOver(engine: Engine, database: Database) {
  const connection = connectionWith({ engine, externalClients: { level: 'readWrite', writeUntil: null } });
  const connections = await loadConnectionRegister({
    load: async () => [connection],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  return {
    connections,
    databases: { of: () => database, forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    now: () => now,
    elapsed: () => performance.now(),
    ...unrecorded,
    confirmation: nobodyAnswers(() => now),
    held: holdRows(() => performance.now()),
  };
}

const request = {
  client: 'sight',
  progress: null,
  requestId: 'r',
  ...unheard,
  elicitationReply: null,
} as const;

/** What a client shows that is itself to ask its person before a statement runs. */
export async function askedThroughClient(engine: Engine, database: Database, sql: string): Promise<string> {
  const ports = await portsOver(engine, database);
  const call = {
    ...request,
    principal: principalWith({ scope: 'fullAccess', confirmInClient: true }),
    signal: new AbortController().signal,
    channel: { kind: 'retry' },
  } as const;
  const outcome = await confirmDestructiveOperation(ports).run(call, { connection: 'Shop', sql });
  if (outcome.kind !== 'input_required') throw new Error(JSON.stringify(outcome));
  return JSON.stringify(outcome);
}

/** What a preview tells. */
export async function previewed(engine: Engine, database: Database, sql: string): Promise<string> {
  const ports = await portsOver(engine, database);
  const call = {
    ...request,
    principal: principalWith({ scope: 'fullAccess' }),
    signal: new AbortController().signal,
    channel: { kind: 'none' },
  } as const;
  return JSON.stringify(await previewWriteTool(ports).run(call, { connection: 'Shop', sql }));
}

export async function asked(engine: Engine, database: Database, statements: readonly Asked[]): Promise<Ended[]> {
  const ports = await portsOver(engine, database);
  const execute = executeQuery(ports);
  const ends: Ended[] = [];
  for (const { sql, schema } of statements) {
    const call = {
      ...request,
      principal: principalWith({ scope: 'fullAccess' }),
      signal: new AbortController().signal,
      channel: { kind: 'none' },
    } as const;
    const outcome = await execute.run(call, {
      connection: 'Shop',
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
