/** `list_connections` (spec §9): the connections that this principal may use. Needs no database. */

import * as z from 'zod';
import type { AiPolicy, Connection } from '../../../access/connection.ts';
import { type ResolvedConnection, visibleConnections } from '../../../access/resolve-connection.ts';
import { JsonRows } from '../../../engines/row-text.ts';
import { toolError } from '../../../refusal.ts';
import { firstFitting } from '../bounded.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { malformedCursorSentence } from '../refusal-words.ts';
import { refused, success, type Tool } from '../tool.ts';
import { cursorArgument } from './shared-arguments.ts';
import { accessWords, type ToolPorts } from './tool-ports.ts';

const aiPolicyWords = { always: 'always', askEachTime: 'ask_each_time', never: 'never' } as const satisfies Record<
  AiPolicy,
  string
>;

const input = z.strictObject({
  search: z.string().max(256).optional(),
  cursor: cursorArgument,
});

/** Enough for nearly everybody; a thousand would be half of a small model's context. */
const mostOfPage = 200;
/** The part of an answer that connections get; a cursor and a hint get the rest. */
const shareOfConnections = 3 / 4;

const output = z.looseObject({});

const noneFound = 'No connection that this client may use has all these words. Leave search out to see all.';

/** The same if there are none or all are hidden from this client. */
const noneYet = 'This client may use no connection yet. Tell the user: only they can allow it one, in Sallyport.';

export function listConnections(ports: ToolPorts): Tool<z.infer<typeof input>> {
  const textOf = summaryText();
  return {
    name: 'list_connections',
    title: 'List connections',
    description: 'Databases you may use. Start here.',
    scope: 'readOnly',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    input,
    output,
    async run(call, { cursor, search = '' }) {
      const offset = cursor === undefined ? 0 : decodeCursor(search, cursor);
      if (offset === null) return refused(toolError('invalid_argument', malformedCursorSentence));
      const visible = visibleConnections(ports.connections, call.principal, ports.now());
      const words = search.toLowerCase().split(/\s+/);
      const found = visible.filter(({ connection }) => hasAll(words, connection));
      const texts = found.slice(offset, offset + mostOfPage).map(textOf);
      const page = firstFitting(texts, ports.limits().maxAnswerBytes * shareOfConnections);
      const end = offset + page.length;
      return success({
        ...(end < found.length && { total: found.length, next_cursor: encodeCursor(search, end) }),
        connections: new JsonRows(page),
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
function summaryText(): (resolved: ResolvedConnection) => string {
  const texts = new WeakMap<Connection, { readonly level: string; readonly text: string }>();
  return resolved => {
    const { connection, access } = resolved;
    const known = texts.get(connection);
    if (known?.level === access.level) return known.text;
    const text = JSON.stringify(summaryOf(resolved));
    texts.set(connection, { level: access.level, text });
    return text;
  };
}

/**
 * Default values are left out: each conversation begins with this list. Names are unique, and tools
 * take them.
 */
function summaryOf({ connection, access }: ResolvedConnection): Record<string, unknown> {
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
