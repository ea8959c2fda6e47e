/**
 * Statements that were kept, as their clients sent them (spec §14). What others wrote stands as
 * they wrote it: a shell escapes it.
 */

import * as z from 'zod';
import { activityOutcome } from './activity.ts';
import type { Message } from './message.ts';
import { connectionReference, statementClass } from './words.ts';

export const historyEntry = z.strictObject({
  id: z.int(),
  /** ISO 8601. */
  time: z.string(),
  connection: connectionReference,
  /** As in the activity log, like the hash. */
  principal: z.string(),
  tokenName: z.string(),
  /** As it calls itself: a claim. */
  client: z.string().nullable(),
  statementHash: z.string(),
  /** As it was sent; null where it had a password in it. */
  statement: z.string().nullable(),
  /** Of a long one the beginning is kept. */
  isCut: z.boolean(),
  class: statementClass,
  outcome: z.enum([...activityOutcome.options, 'rolled_back']),
  rows: z.int().nullable(),
  durationMilliseconds: z.number().nullable(),
});
export type HistoryEntryView = Message<typeof historyEntry>;

export const historyPage = z.strictObject({
  statements: z.array(historyEntry),
  /** Before which id those that didn't fit stand; null where all are here. */
  older: z.int().nullable(),
  /** Whether statements are kept at all (the setting `history`). */
  kept: z.boolean(),
  /**
   * Some may be left out: on connections that clients may not read unasked, or that were removed.
   */
  leavesOut: z.boolean(),
});
export type HistoryPageView = Message<typeof historyPage>;

export const historyCleared = z.strictObject({ removed: z.int() });
