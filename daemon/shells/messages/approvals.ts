/**
 * Questions that wait for the user's yes (spec §12). What others wrote stands as they wrote it: a
 * shell escapes it.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { withdrawalReason, yesOrNo } from './words.ts';

export const approvalKind = z.enum(['destructive_statement', 'stop_server_session', 'first_use']);

export const askedConnection = z.strictObject({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  colour: z.string().nullable(),
});

/** What a statement takes, in words of ours with names of others in them. */
export const statementTakes = z.strictObject({
  /**
   * One for each table and object: `empties public.orders (500 rows), a child of public.scratch`.
   */
  lines: z.array(z.string()),
  /** Sentences: what could not be counted, and why; null where all was. */
  note: z.string().nullable(),
});

export const askedStatement = z.strictObject({
  text: z.string(),
  class: z.string(),
  /** One sentence: what decided the class. */
  reason: z.string(),
  tables: z.array(z.string()),
  /** Absent where nothing was counted. */
  takes: statementTakes.optional(),
  /** Code points. */
  characters: z.int(),
  lines: z.int(),
});

export const approvalView = z.strictObject({
  /** Eight letters and digits, for people to type. */
  id: z.string(),
  kind: approvalKind,
  /** As it calls itself: a claim. */
  client: z.string(),
  /** Null where it asks through the stdio bridge, which has a token of its own. */
  token: z.string().nullable(),
  connection: askedConnection,
  /** What a yes allows and for how long, ours: `Read and write for 8 hours.` */
  means: z.string(),
  statement: askedStatement.nullable(),
  /** ISO 8601. */
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type ApprovalView = Message<typeof approvalView>;

export const approvalList = z.strictObject({ questions: z.array(approvalView) });

export const approvalAttachment = z.strictObject({
  questions: z.array(approvalView),
  /**
   * False for one that has no terminal and isn't Sallyport.app, whatever it wants: it is shown the
   * questions alone.
   */
  attached: z.boolean(),
});

export const approvalDecision = z.strictObject({ id: z.string(), answer: yesOrNo });
export type ApprovalDecision = Message<typeof approvalDecision>;

export const approvalWithdrawn = z.strictObject({ id: z.string(), because: withdrawalReason });
export type ApprovalWithdrawn = Message<typeof approvalWithdrawn>;
