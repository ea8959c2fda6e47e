/**
 * Boxes as the daemon tells of them. No secret is among it: a socket is the credential, or what is
 * in a file.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { tokenConnection } from './tokens.ts';
import { scope } from './words.ts';

export const boxView = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope,
  connections: z.union([z.literal('all'), z.array(tokenConnection)]),
  group: z.string().nullable(),
  /**
   * What goes into the box, and the paths of what is in it: a socket, a token's file, a socket for
   * PostgreSQL's protocol. Each may be null.
   */
  folder: z.string(),
  socket: z.string().nullable(),
  tokenFile: z.string().nullable(),
  wire: z.string().nullable(),
  /** Why programs are refused or that isn't there, a clause; else null. */
  problem: z.string().nullable(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  state: z.enum(['valid', 'expired', 'revoked']),
});
export type BoxView = Message<typeof boxView>;

export const endedBox = z.strictObject({ id: z.string(), name: z.string() });
export const boxList = z.strictObject({ boxes: z.array(boxView) });
