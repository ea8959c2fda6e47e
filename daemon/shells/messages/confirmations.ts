/** Another shell's privilege increase, for the person at Sallyport.app to confirm (spec §11). */

import * as z from 'zod';
import type { Message } from './message.ts';
import { withdrawalReason, yesOrNo } from './words.ts';

/**
 * Others' text is unchanged: the app escapes it. Very long text has its middle replaced by a count.
 */
export const confirmationFact = z.strictObject({
  /** The daemon's own words, unique among one confirmation's facts. */
  label: z.string(),
  value: z.string(),
  /** The value until now; null if there is none. */
  former: z.string().nullable(),
  /** `lines`: line feeds are drawn as such; otherwise they are escaped too. */
  form: z.enum(['line', 'lines']),
});
export type ConfirmationFact = Message<typeof confirmationFact>;

export const confirmationView = z.strictObject({
  /** UUID. */
  id: z.string(),
  /**
   * What it does. Others' text stands in quotes that it can't close, on one line of any length: the
   * app escapes it.
   */
  sentence: z.string(),
  /** Each value that makes it a privilege increase, and where it applies. */
  facts: z.array(confirmationFact),
  /** The asking shell's own name for itself; unverified. */
  shell: z.string(),
  /** ISO 8601. From `expiresAt` on no answer is accepted. */
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type ConfirmationView = Message<typeof confirmationView>;

export const confirmationList = z.strictObject({ confirmations: z.array(confirmationView) });

export const confirmationDecision = z.strictObject({ id: z.string(), answer: yesOrNo });

export const confirmationWithdrawn = z.strictObject({ id: z.string(), because: withdrawalReason });
export type ConfirmationWithdrawn = Message<typeof confirmationWithdrawn>;
