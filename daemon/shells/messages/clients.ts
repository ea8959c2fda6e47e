/** Clients as the HTTP door knows them: one bridge process each, or whoever holds one token. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const namedToken = z.strictObject({ id: z.string(), name: z.string() });

export const clientView = z.strictObject({
  /** Of the principal: the token's id, or `bridge:` and what the bridge process calls itself. */
  id: z.string(),
  /** As it calls itself: a claim, written as it wrote it. Null where it has not said. */
  client: z.string().nullable(),
  /** Null where it comes through the bridge. */
  token: namedToken.nullable(),
  /** True where that is a box. */
  isBox: z.boolean().optional(),
  transport: z.enum(['bridge', 'http']),
  /** The revision of MCP that it spoke last; null before it has said. */
  protocol: z.string().nullable(),
  /** ISO 8601: of its first and of its last request. */
  since: z.string(),
  lastSeen: z.string(),
  openRequests: z.int(),
  /** Of the older revisions, which keep one. */
  sessions: z.int(),
});
export type ClientView = Message<typeof clientView>;

/** Those seen last first. */
export const clientList = z.strictObject({ clients: z.array(clientView) });
