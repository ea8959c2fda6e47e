/**
 * Tokens as the daemon tells of them (spec §5). The plaintext is in the answer to `tokens.mint` and
 * nowhere else.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { scope } from './words.ts';

/**
 * `uncollected`: of a pairing whose code waits for its exchange; nobody has the token yet, and it
 * goes with the code.
 */
export const tokenState = z.enum(['valid', 'uncollected', 'expired', 'revoked']);

/** `name` is null for a connection that is gone since. */
export const tokenConnection = z.strictObject({ id: z.string(), name: z.string().nullable() });

export const tokenView = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** First characters of the token, for people to recognise it by. */
  prefix: z.string(),
  scope,
  connections: z.union([z.literal('all'), z.array(tokenConnection)]),
  confirmInClient: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  client: z.string().nullable(),
  state: tokenState,
});
export type TokenView = Message<typeof tokenView>;

export const mintedToken = z.intersection(
  tokenView,
  z.strictObject({
    /** The plaintext: said here and never again. */
    token: z.string(),
  }),
);
export type MintedTokenView = Message<typeof mintedToken>;

export const tokenList = z.strictObject({ tokens: z.array(tokenView) });
export const tokenId = z.strictObject({ id: z.string() });
