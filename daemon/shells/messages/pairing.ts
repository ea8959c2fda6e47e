/**
 * A pairing that waits for its decision (spec §10). Others' text is unchanged: a shell escapes it.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { engine, externalClientsLevel, scope, tokenExpiry } from './words.ts';

export const pairingConnection = z.strictObject({
  id: z.string(),
  name: z.string(),
  engine,
  /** What any client may do there at this moment; `blocked` if it sees nothing of it. */
  externalClients: externalClientsLevel,
});
export type PairingConnection = Message<typeof pairingConnection>;

export const pairingRedirect = z.strictObject({
  /** Receives the code. */
  address: z.string(),
  /**
   * The app registered for its scheme, or the program that listens there; null if the system
   * doesn't tell.
   */
  receiver: z.string().nullable(),
  /**
   * `anybodys`: of a scheme that any app may claim. It is opened only after a sheet has named the
   * receiver, and a no opens nothing.
   */
  kind: z.enum(['loopback', 'app', 'anybodys']),
});

export const pairingView = z.strictObject({
  /** UUID. */
  id: z.string(),
  /** The client's own name for itself; unverified. */
  client: z.string(),
  redirect: pairingRedirect,
  /** The requested scope. */
  scope,
  /** Ids that are ticked at first. */
  ticked: z.array(z.string()),
  connections: z.array(pairingConnection),
  /** Selected at first. */
  expires: tokenExpiry,
  /** ISO 8601. From `expiresAt` on no decision is accepted. */
  askedAt: z.string(),
  expiresAt: z.string(),
  /** Another sheet is open: this one may be drawn once `pairing.turn` names it. */
  waits: z.boolean(),
  /** The server is switched off: an approval starts it until Sallyport is stopped. */
  serverStarted: z.boolean(),
});
export type PairingView = Message<typeof pairingView>;

export const pairingAnswer = z.strictObject({
  id: z.string(),
  /**
   * For the shell to open, unchanged, with the app that its sheet has named. Null for a no that
   * opens nothing.
   */
  address: z.string().nullable(),
  /** The id of the token that waits for its client; null for a denial. */
  token: z.string().nullable(),
});
export type PairingAnswerView = Message<typeof pairingAnswer>;

export const pairingId = z.strictObject({ id: z.string() });
