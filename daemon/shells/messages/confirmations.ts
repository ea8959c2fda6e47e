/** Another shell's privilege increase, for the person at Sallyport.app to confirm (spec §11). */

import * as z from 'zod';
import type { Message } from './message.ts';
import { withdrawalReason, yesOrNo } from './words.ts';

/**
 * What others wrote stands as they wrote it: the app escapes it. Of what is very long the middle is
 * left out, and counted in its place.
 */
export const confirmationFact = z.strictObject({
  /** The daemon's own words, each once among the facts of one confirmation. */
  label: z.string(),
  value: z.string(),
  /** Until now; null where there is nothing to compare with. */
  former: z.string().nullable(),
  /** `lines`: line feeds are drawn as such; else they are escaped too. */
  form: z.enum(['line', 'lines']),
});
export type ConfirmationFact = Message<typeof confirmationFact>;

export const confirmationView = z.strictObject({
  /** UUID. */
  id: z.string(),
  /**
   * What it does. What others wrote stands in quotes that it can't close, on one line of whatever
   * length: the app escapes it.
   */
  sentence: z.string(),
  /** Each value that makes it a privilege increase, and where it applies. */
  facts: z.array(confirmationFact),
  /** Who asks, as that shell calls itself: a claim. */
  shell: z.string(),
  /** ISO 8601. From `expiresAt` on no answer is taken. */
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type ConfirmationView = Message<typeof confirmationView>;

export const confirmationList = z.strictObject({ confirmations: z.array(confirmationView) });

export const confirmationDecision = z.strictObject({ id: z.string(), answer: yesOrNo });

export const confirmationWithdrawn = z.strictObject({ id: z.string(), because: withdrawalReason });
export type ConfirmationWithdrawn = Message<typeof confirmationWithdrawn>;
