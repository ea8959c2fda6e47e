/** The owner passphrase (spec §11): facts about it, never itself. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const passphraseStatus = z.strictObject({
  /** `none`: nothing can be confirmed until one is chosen. `off`: nothing has to be confirmed. */
  state: z.enum(['none', 'set', 'off']),
  /**
   * When, and by which program on which terminal; `confirmedAt` once the person confirmed that it
   * was them. ISO 8601.
   */
  chosen: z
    .strictObject({
      at: z.string(),
      by: z.string(),
      confirmedAt: z.string().nullable(),
      /** `/dev/pts/3`; left out unless it was typed on one. */
      terminal: z.string().optional(),
    })
    .nullable(),
  /** A new passphrase that counts from `countsAt` on. */
  reset: z.strictObject({ id: z.string(), at: z.string(), by: z.string(), countsAt: z.string() }).nullable(),
  /**
   * What was allowed while it was off and stands, a line each: nobody has confirmed it. Left out if
   * there is none, and in a home that was made unattended until a passphrase is set.
   */
  unconfirmed: z.array(z.string()).optional(),
  /** Where Touch ID confirms as the passphrase does. */
  touchId: z.literal(true).optional(),
});
export type PassphraseView = Message<typeof passphraseStatus>;
