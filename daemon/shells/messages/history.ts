/**
 * Kept statements, as their clients sent them (spec §14). Others' text is unchanged: a shell
 * escapes it.
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
  /** The client's own name for itself; unverified. */
  client: z.string().nullable(),
  statementHash: z.string(),
  /** As sent; null if it held a password. */
  statement: z.string().nullable(),
  /** Only the beginning of a long statement is kept. */
  isCut: z.boolean(),
  class: statementClass,
  outcome: z.enum([...activityOutcome.options, 'rolled_back']),
  rows: z.int().nullable(),
  durationMilliseconds: z.number().nullable(),
});
export type HistoryEntryView = Message<typeof historyEntry>;

export const historyPage = z.strictObject({
  statements: z.array(historyEntry),
  /** The id before which the ones that didn't fit come; null if all are here. */
  older: z.int().nullable(),
  /** Whether statements are kept at all (the setting `history`). */
  kept: z.boolean(),
  /**
   * True if some may be left out: on connections that clients may not read without approval, or
   * that were removed.
   */
  leavesOut: z.boolean(),
});
export type HistoryPageView = Message<typeof historyPage>;

export const historyCleared = z.strictObject({ removed: z.int() });
