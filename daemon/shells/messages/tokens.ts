/**
 * Tokens as the daemon describes them (spec §5). Only the answer to `tokens.mint` holds the
 * plaintext.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { scope } from './words.ts';

/**
 * `uncollected`: a pairing's token whose code waits for its exchange; nobody has it yet, and it
 * ends with the code.
 */
export const tokenState = z.enum(['valid', 'uncollected', 'expired', 'revoked']);

/** `name` is null for a connection that is gone. */
export const tokenConnection = z.strictObject({ id: z.string(), name: z.string().nullable() });

export const tokenView = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The token's first characters, for people to recognise it. */
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
  /**
   * How it was confirmed; `off` and `unattended`: nobody had to, and nobody has kept it since. Left
   * out if it needs no confirmation.
   */
  confirmedBy: z.enum(['passphrase', 'touchId', 'app', 'off', 'unattended']).optional(),
});
export type TokenView = Message<typeof tokenView>;

export const mintedToken = z.intersection(
  tokenView,
  z.strictObject({
    /** The plaintext, shown here and never again. */
    token: z.string(),
  }),
);
export type MintedTokenView = Message<typeof mintedToken>;

export const tokenList = z.strictObject({ tokens: z.array(tokenView) });
export const tokenId = z.strictObject({ id: z.string() });
