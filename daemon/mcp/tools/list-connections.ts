/** `list_connections` (spec §9): what this principal may use. Needs no database. */

import { z } from 'zod';
import type { AiPolicy } from '../../access/connection.ts';
import { type Reached, visibleConnections } from '../../access/reach.ts';
import { success, type Tool } from '../tool.ts';
import { accessWords, type ToolPorts } from './tool-ports.ts';

const aiPolicyWords = { always: 'always', askEachTime: 'ask_each_time', never: 'never' } as const satisfies Record<
  AiPolicy,
  string
>;

const input = z.strictObject({});

const output = z.object({
  connections: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      engine: z.string(),
      access: z.enum(['read_only', 'read_write']),
    }),
  ),
  hint: z.string().optional(),
});

/** The same whether there are none or all are hidden from this client. */
const noneYet =
  'This client may use no connection yet. Ask the user to add one (`sallyport connections add`) or to allow this client one that is there (`sallyport connections list`).';

export function listConnections(ports: ToolPorts): Tool<z.infer<typeof input>> {
  return {
    name: 'list_connections',
    title: 'List connections',
    description: 'Databases you may use, and for what. Start here.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call) {
      const visible = visibleConnections(ports.connections, call.principal, ports.now());
      return success({ connections: visible.map(summaryOf), ...(visible.length === 0 && { hint: noneYet }) });
    },
  };
}

function summaryOf({ connection, access }: Reached): Record<string, unknown> {
  return {
    id: connection.id,
    name: connection.name,
    engine: connection.engine,
    host: connection.host,
    port: connection.port,
    database: connection.database ?? connection.filePath?.split('/').at(-1) ?? null,
    access: accessWords[access.level],
    ai_policy: aiPolicyWords[connection.aiPolicy],
    colour: connection.colour,
    group: connection.group,
    tags: connection.tags,
  };
}
