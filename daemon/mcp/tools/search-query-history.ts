/** `search_query_history` (spec §9): the principal's own statements; with Full Access everybody's on the connections it sees. */

import { z } from 'zod';
import { visibleConnections } from '../../access/reach.ts';
import type { HistoryEntry, StatementHistory } from '../../query/history.ts';
import type { Refusal } from '../../refusal.ts';
import { success, type Tool, type ToolCall } from '../tool.ts';
import { reachFor, type ToolPorts } from './tool-ports.ts';

export interface HistoryToolPorts extends ToolPorts {
  readonly history: StatementHistory;
}

const instant = z
  .string()
  .max(40)
  .refine(text => !Number.isNaN(Date.parse(text)), 'not an ISO 8601 instant')
  .optional();

const input = z.strictObject({
  query: z.string().min(1).max(500).optional().describe('Words that all occur, or "a phrase"'),
  connection: z.string().min(1).max(256).optional(),
  since: instant.describe('ISO 8601'),
  until: instant,
  limit: z.number().int().min(1).max(200).optional().describe('Default 20'),
});

const output = z.object({
  statements: z.array(
    z.object({
      time: z.string(),
      connection: z.string(),
      token: z.string(),
      client: z.string().nullable(),
      statement: z.string().nullable(),
      cut: z.boolean().optional(),
      class: z.string(),
      outcome: z.string(),
      rows: z.number().nullable(),
      duration_ms: z.number().nullable(),
    }),
  ),
});

const defaultLimit = 20;

export function searchQueryHistory(ports: HistoryToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'search_query_history',
    title: 'Search earlier statements',
    description: 'Statements run before, newest first.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, args) {
      const within = await connectionsOf(ports, call, args.connection);
      if (within.kind === 'refused') return within;
      const entries = await ports.history.search({
        text: args.query ?? null,
        connections: within.ids,
        principal: call.principal.scope === 'fullAccess' ? null : call.principal.id,
        since: instantOf(args.since),
        until: instantOf(args.until),
        limit: args.limit ?? defaultLimit,
      });
      return success({ statements: entries.map(wireForm) });
    },
  };
}

type Within =
  | { readonly kind: 'within'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** What is hidden now stays hidden, whatever ran there once; nothing is told before the user's yes where one is asked for. */
async function connectionsOf(ports: ToolPorts, call: ToolCall, named: string | undefined): Promise<Within> {
  if (named !== undefined) {
    const found = await reachFor(ports, call, named);
    return found.kind === 'refused' ? found : { kind: 'within', ids: [found.reached.connection.id] };
  }
  const { firstUses } = ports.confirmation;
  const ids = visibleConnections(ports.connections, call.principal, ports.now())
    .filter(({ connection, access }) => !access.askFirst || firstUses.isAllowed(call.principal, connection.id))
    .map(({ connection }) => connection.id);
  return { kind: 'within', ids };
}

function instantOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}

function wireForm(entry: HistoryEntry): Record<string, unknown> {
  return {
    time: entry.time,
    connection: entry.connection.name,
    token: entry.tokenName,
    client: entry.client,
    statement: entry.statement,
    ...(entry.isCut && { cut: true }),
    class: entry.class,
    outcome: entry.outcome,
    rows: entry.rows,
    duration_ms: entry.durationMilliseconds,
  };
}
