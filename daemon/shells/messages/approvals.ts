/**
 * Questions that wait for the user's approval (spec §12). Others' text is unchanged: a shell
 * escapes it.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { statementClass, withdrawalReason, yesOrNo } from './words.ts';

export const approvalKind = z.enum(['destructive_statement', 'stop_server_session', 'first_use']);

export const askedConnection = z.strictObject({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  colour: z.string().nullable(),
});

/** What a statement takes: our words around others' names. */
export const statementTakes = z.strictObject({
  /** One per table and object: `empties public.orders (500 rows), a child of public.scratch`. */
  lines: z.array(z.string()),
  /** Sentences on what could not be counted, and why; null if everything was. */
  note: z.string().nullable(),
});

/** Of a reason: its English, with `%@` for each value, is the code by which a shell words it. */
export const reasonPart = z.strictObject({ code: z.string(), values: z.array(z.string()) });

export const askedStatement = z.strictObject({
  text: z.string(),
  class: statementClass,
  /** One sentence: what decided the class. */
  reason: z.string(),
  /** The same in parts, joined by blanks. Empty if no code is known. */
  reasonParts: z.array(reasonPart),
  tables: z.array(z.string()),
  /** Absent if nothing was counted. */
  takes: statementTakes.optional(),
  /** Code points. */
  characters: z.int(),
  lines: z.int(),
});

export const approvalView = z.strictObject({
  /** Eight letters and digits, for people to type. */
  id: z.string(),
  kind: approvalKind,
  /** The client's own name for itself; unverified. */
  client: z.string(),
  /** Null if it asks through the stdio bridge, which has a token of its own. */
  token: z.string().nullable(),
  /** True if that is the name of a box. */
  isBox: z.boolean().optional(),
  connection: askedConnection,
  /** What an approval allows and for how long, in our words: `Read and write for 8 hours.` */
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
  /** False for a shell without a terminal that isn't Sallyport.app: it only sees the questions. */
  attached: z.boolean(),
});

export const approvalDecision = z.strictObject({ id: z.string(), answer: yesOrNo });
export type ApprovalDecision = Message<typeof approvalDecision>;

export const approvalWithdrawn = z.strictObject({ id: z.string(), because: withdrawalReason });
export type ApprovalWithdrawn = Message<typeof approvalWithdrawn>;
