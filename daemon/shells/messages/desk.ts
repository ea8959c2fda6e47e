/** The list of what waits for the person, its push, and their answers (spec §11, §12). */

import * as z from 'zod';
import { askView, deskAnswer, said } from './ask.ts';
import type { Message } from './message.ts';
import { withdrawalReason } from './words.ts';

/** Those that the asking shell may see: who waits first, then the oldest. */
export const askList = z.strictObject({
  asks: z.array(askView),
  /** Of `desk.list`: how many requests found no place in the last 15 minutes. Absent if none. */
  unkept: z.int().optional(),
});

export const deskAttachment = z.strictObject({
  asks: z.array(askView),
  /** False for a shell without a terminal that isn't Sallyport.app: it only sees what waits. */
  attached: z.boolean(),
});

export const requestRun = z.strictObject({
  id: z.string(),
  rowsAffected: z.int().nullable(),
  warnings: z.array(z.string()),
  /** One sentence; null if it ran. */
  failed: z.string().nullable(),
  /** True if some of it stays, or may: a plan's first steps, or nobody saw its end. */
  mayHaveRun: z.boolean().optional(),
  /** Fingerprint of the accepted SSH host key: nothing ran, but the connection was tried. */
  hostKey: z.string().optional(),
});

export const deskDecision = z.strictObject({
  ids: z.array(z.string()),
  answer: deskAnswer,
  /** Those that ran, the one that failed, and each accepted host key. */
  ran: z.array(requestRun),
  /** What became of what clients asked. */
  said: z.array(said),
  /** Why not all of it was done; null if it was. */
  problem: said.nullable(),
  /** Of a pairing: for the shell to open, unchanged. Null for an answer that opens nothing. */
  address: z.string().nullable(),
  /** Of a pairing: the id of the token that waits for its client. */
  token: z.string().nullable(),
});
export type DeskDecision = Message<typeof deskDecision>;

/** Pushed to each shell that may see it. */
export const deskChange = z.strictObject({
  /** How many asks this shell could list now. */
  waiting: z.int(),
  /** New, or changed. */
  asked: askView.nullable(),
  /** `because` is what ended it. Of something new or changed null. */
  ended: z.strictObject({ id: z.string(), because: withdrawalReason }).nullable(),
});
export type DeskChange = Message<typeof deskChange>;
