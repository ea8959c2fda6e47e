/** Runs statements through `execute_query`, as a client with Full Access and nobody to ask. */

import type { ExternalClientsLevel } from '../../../daemon/access/connection.ts';
import { loadConnectionRegister } from '../../../daemon/access/connection-register.ts';
import { executeQuery } from '../../../daemon/clients/mcp/tools/execute-query.ts';
import { holdRows } from '../../../daemon/statement/held-rows.ts';
import { defaultQueryLimits } from '../../../daemon/statement/query-limits.ts';
import { principalWith } from '../../access/principals.ts';
import { unheard, unrecorded } from '../../activity/unrecorded.ts';
import { nobodyAnswers } from '../../clients/mcp/nobody-answers.ts';
import { saidOf } from '../../clients/mcp/said.ts';
import { judgingInThread } from '../../statement/classifier-in-thread.ts';
import type { World } from '../../walls/world.ts';
import type { Attack } from './statements.ts';

/** No answer and no error may contain these. */
export const secrets = /SCRAM-SHA-256\$|file-s3cret|mapping-s3cret|conninfo-s3cret|root:x:0/;

export interface Outcome extends Attack {
  /** `success`, or the refusal's word and sentence. */
  readonly end: string;
  readonly showsSecret: boolean;
}

const now = Date.parse('2026-11-20T12:00:00Z');
const classifier = judgingInThread();

export async function ask(
  world: World,
  account: string,
  level: ExternalClientsLevel,
  attacks: readonly Attack[],
): Promise<Outcome[]> {
  const connections = await loadConnectionRegister({
    load: async () => [{ ...world.connection(account), externalClients: { level, writeUntil: null } }],
    save: async () => {},
    remove: async () => {},
    restore: async () => {},
    delete: async () => {},
  });
  const execute = executeQuery({
    connections,
    databases: { of: () => world.database(account), forget: async () => {}, close: async () => {} },
    classifier,
    limits: () => defaultQueryLimits,
    now: () => now,
    elapsed: () => performance.now(),
    ...unrecorded,
    confirmation: nobodyAnswers(() => now),
    held: holdRows(() => performance.now()),
  });
  const outcomes: Outcome[] = [];
  for (const { sql, schema } of attacks) {
    const signal = new AbortController().signal;
    const request = {
      principal: principalWith({ scope: 'fullAccess' }),
      client: 'guard',
      signal,
      progress: null,
      requestId: 'r',
      ...unheard,
      channel: { kind: 'none' },
      brought: null,
    } as const;
    const asked = { connection: account, sql: world.place(sql), timeout_seconds: 10, max_rows: 500 };
    const outcome = await execute.run(request, { ...asked, ...(schema !== undefined && { schema }) });
    const end = outcome.kind === 'refused' ? saidOf(outcome.refusal) : outcome.kind;
    outcomes.push({
      sql,
      ...(schema !== undefined && { schema }),
      end,
      showsSecret: secrets.test(JSON.stringify(outcome)),
    });
  }
  return outcomes;
}

/** True if Sallyport refused before the database was asked to run it. */
export function isOurs(end: string): boolean {
  return /^(denied|unsupported):/.test(end);
}
