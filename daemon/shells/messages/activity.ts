/**
 * Rows of the activity log and what its verification found (spec §14). Others' text is unchanged: a
 * shell escapes it.
 */

import * as z from 'zod';
import { activityCategories, activityOutcomes } from '../../../shared/words.ts';
import type { Message } from './message.ts';
import { connectionReference } from './words.ts';

export const activityCategory = z.enum(activityCategories);
export type ActivityCategoryWord = Message<typeof activityCategory>;

export const activityOutcome = z.enum(activityOutcomes);

export const activityKind = z.enum(['event', 'attempt', 'outcome']);

/** For an attempt to write: `unknown` if the daemon died before it knew. */
export const attemptFate = z.enum(['settled', 'running', 'unknown']);

export const activityRow = z.strictObject({
  /** Its place in the chain, from 1, without gaps. */
  number: z.int(),
  /** ISO 8601. */
  time: z.string(),
  kind: activityKind,
  category: activityCategory,
  action: z.string(),
  /** The action as people call it, in English. */
  what: z.string(),
  /** Null on an attempt. */
  outcome: activityOutcome.nullable(),
  fate: attemptFate.nullable(),
  /** On an outcome: the number of its attempt. */
  attempt: z.int().nullable(),
  principal: z.string().nullable(),
  tokenName: z.string().nullable(),
  client: z.string().nullable(),
  connection: connectionReference.nullable(),
  /** SHA-256, 64 hexadecimal digits. */
  statementHash: z.string().nullable(),
  rows: z.int().nullable(),
  durationMilliseconds: z.number().nullable(),
  reason: z.string().nullable(),
  /** The reason without the words that programs know it by. */
  why: z.string().nullable(),
  requestId: z.string().nullable(),
  /** How often, if one row stands for several. */
  count: z.int(),
});
export type ActivityRowView = Message<typeof activityRow>;

export const activityPage = z.strictObject({
  /** Newest first. */
  rows: z.array(activityRow),
  /** `before` of the next page; null if nothing older matches. */
  older: z.int().nullable(),
  /** `after` of a later request; null on an empty page. */
  newest: z.int().nullable(),
  /** A sentence while the log can't be written. */
  problem: z.string().nullable(),
});
export type ActivityPageView = Message<typeof activityPage>;

export const activityFinding = z.strictObject({
  kind: z.string(),
  /** Row numbers; null if it is not about rows. */
  from: z.int().nullable(),
  to: z.int().nullable(),
  sentence: z.string(),
});
export type ActivityFindingView = Message<typeof activityFinding>;

export const activityVerification = z.strictObject({
  intact: z.boolean(),
  rowsChecked: z.int(),
  /**
   * The chain is checked after this row; 0 from its beginning. Older rows were pruned or can't be
   * checked.
   */
  checkedAfter: z.int(),
  lastNumber: z.int(),
  findings: z.array(activityFinding),
  /** Events that are no fault: crashes whose rows were adopted. */
  notes: z.array(z.string()),
  /** What no verification can see. */
  limits: z.array(z.string()),
});
export type ActivityVerificationView = Message<typeof activityVerification>;
