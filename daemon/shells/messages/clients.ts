/** Clients as the HTTP door knows them: one per bridge process, or per token. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const namedToken = z.strictObject({ id: z.string(), name: z.string() });

export const clientView = z.strictObject({
  /** The principal's id: the token's, or `bridge:` and the bridge process's own. */
  id: z.string(),
  /** The client's own name for itself, unverified and unescaped. Null if it has not said. */
  client: z.string().nullable(),
  /** Null if it comes through the bridge. */
  token: namedToken.nullable(),
  /** True if that is a box. */
  isBox: z.boolean().optional(),
  transport: z.enum(['bridge', 'http']),
  /** The MCP revision that it used last; null before it has said. */
  protocol: z.string().nullable(),
  /** ISO 8601; its first and its last request. */
  since: z.string(),
  lastSeen: z.string(),
  openRequests: z.int(),
  /** Open sessions, in the older revisions that have them. */
  sessions: z.int(),
});
export type ClientView = Message<typeof clientView>;

/** Seen last first. */
export const clientList = z.strictObject({ clients: z.array(clientView) });
