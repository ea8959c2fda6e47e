/** The owner passphrase (spec §11): what is known of it, nothing of itself. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const passphraseStatus = z.strictObject({
  /** `none`: nothing can be allowed until one is chosen. `off`: nothing has to be confirmed. */
  state: z.enum(['none', 'set', 'off']),
  /**
   * When, and by which program on which terminal; `confirmedAt` once the person said that it was
   * them. ISO 8601.
   */
  chosen: z.strictObject({ at: z.string(), by: z.string(), confirmedAt: z.string().nullable() }).nullable(),
  /** A new one that counts from `countsAt` on. */
  reset: z.strictObject({ id: z.string(), at: z.string(), by: z.string(), countsAt: z.string() }).nullable(),
});
export type PassphraseView = Message<typeof passphraseStatus>;
