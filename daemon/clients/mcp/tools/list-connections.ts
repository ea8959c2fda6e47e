/** `list_connections` (spec §9): the connections that this principal may use. Needs no database. */

import * as z from 'zod';
import type { AiPolicy, Connection } from '../../../access/connection.ts';
import { type Reached, visibleConnections } from '../../../access/reach.ts';
import { JsonRows } from '../../../engines/row-text.ts';
import { success, type Tool } from '../tool.ts';
import { accessWords, type ToolPorts } from './tool-ports.ts';

const aiPolicyWords = { always: 'always', askEachTime: 'ask_each_time', never: 'never' } as const satisfies Record<
  AiPolicy,
  string
>;

const input = z.strictObject({
  search: z.string().max(256).optional(),
});

const output = z.looseObject({});

const noneFound = 'No connection that this client may use has all these words. Leave search out to see all.';

/** The same if there are none or all are hidden from this client. */
const noneYet = 'This client may use no connection yet. Tell the user: only they can allow it one, in Sallyport.';

export function listConnections(ports: ToolPorts): Tool<z.infer<typeof input>> {
  const textOf = summaryText();
  return {
    name: 'list_connections',
    title: 'List connections',
    description: 'Databases you may use, and for what. Start here.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, { search = '' }) {
      const visible = visibleConnections(ports.connections, call.principal, ports.now());
      const words = search.toLowerCase().split(/\s+/);
      const found = visible.filter(({ connection }) => hasAll(words, connection));
      return success({
        connections: new JsonRows(found.map(textOf)),
        ...(found.length === 0 && { hint: visible.length === 0 ? noneYet : noneFound }),
      });
    },
  };
}

function hasAll(words: readonly string[], { name, engine, group, tags }: Connection): boolean {
  const said = [name, engine, group ?? '', ...tags].join('\n').toLowerCase();
  return words.every(word => said.includes(word));
}

/**
 * Printed once as long as it stays the same: each conversation begins with a list that may have
 * hundreds of entries.
 */
function summaryText(): (reached: Reached) => string {
  const texts = new WeakMap<Connection, { readonly level: string; readonly text: string }>();
  return reached => {
    const { connection, access } = reached;
    const known = texts.get(connection);
    if (known?.level === access.level) return known.text;
    const text = JSON.stringify(summaryOf(reached));
    texts.set(connection, { level: access.level, text });
    return text;
  };
}

/**
 * Default values are left out: each conversation begins with this list. Names are unique, and tools
 * take them.
 */
function summaryOf({ connection, access }: Reached): Record<string, unknown> {
  const { name, engine, aiPolicy, colour, group, tags } = connection;
  const database = connection.database ?? connection.filePath?.split('/').at(-1) ?? null;
  return {
    name,
    engine,
    ...(database !== null && { database }),
    access: accessWords[access.level],
    ...(aiPolicy !== 'always' && { ai_policy: aiPolicyWords[aiPolicy] }),
    ...(colour !== null && { colour }),
    ...(group !== null && { group }),
    ...(tags.length > 0 && { tags }),
  };
}
