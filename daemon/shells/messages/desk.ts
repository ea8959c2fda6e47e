/**
 * What waits for the person, and their answers (spec §12). Others' text is unchanged: a shell
 * escapes it.
 */

import * as z from 'zod';
import { askedConnection } from './approvals.ts';
import { confirmationFact } from './confirmations.ts';
import type { Message } from './message.ts';
import { pairingConnection, pairingRedirect } from './pairing.ts';
import { missingAccess, requestedStatement, requestRun, requestRunner } from './requests.ts';
import { scope, tokenExpiry, withdrawalReason } from './words.ts';

/** What is asked for. `increase`: another shell's privilege increase. */
export const askKind = z.enum(['statement', 'stop_session', 'first_use', 'host_key', 'increase', 'pairing']);
export type AskKindWord = Message<typeof askKind>;

/**
 * `yes`: it goes on, or runs when its client sends it again. `run`: it runs now, as the person.
 * `close`: the sheet of a pairing was closed without a decision, so nothing is opened.
 */
export const deskAnswer = z.enum(['no', 'yes', 'run', 'close']);
export type DeskAnswer = Message<typeof deskAnswer>;

export const askView = z.strictObject({
  /** Eight letters and digits, for people to type. */
  id: z.string(),
  kind: askKind,
  /** True if a call or a shell waits for the answer; false if the client has to ask again. */
  waits: z.boolean(),
  /** The asker's own name for itself; unverified. */
  client: z.string(),
  /** The programs that started the client's bridge, outermost first; null if unknown. */
  program: z.string().nullable(),
  /** Null if it asks through the stdio bridge, which has a token of its own, or is a shell. */
  token: z.string().nullable(),
  /** True if that is the name of a box. */
  isBox: z.boolean().optional(),
  /** Null for an increase or a pairing, which may be about several or none. */
  connection: askedConnection.nullable(),
  /** What would have allowed it; null if somebody waits. */
  lacks: missingAccess.nullable(),
  /** Who runs the statement once it is allowed; null if nothing runs. */
  runsBy: requestRunner.nullable(),
  /** What a yes allows and for how long, in our words; null if a statement says it. */
  means: z.string().nullable(),
  statement: requestedStatement.nullable(),
  increase: z
    .strictObject({
      /** What it does. Others' text stands in quotes that it can't close, on one line. */
      sentence: z.string(),
      facts: z.array(confirmationFact),
    })
    .nullable(),
  pairing: z
    .strictObject({
      redirect: pairingRedirect,
      /** The requested scope. */
      scope,
      /** Ids that are ticked at first. */
      ticked: z.array(z.string()),
      connections: z.array(pairingConnection),
      /** Selected at first. */
      expires: tokenExpiry,
      /** Another pairing is open: this one may be drawn once `desk.changed` brings it again. */
      hasTurn: z.boolean(),
      /** The server is switched off: an approval starts it until Sallyport is stopped. */
      serverStarted: z.boolean(),
    })
    .nullable(),
  /** The answers that there are, as a person reads them from left to right. */
  answers: z.array(deskAnswer),
  /** How often it was asked. */
  times: z.int(),
  /** ISO 8601. From `expiresAt` on no answer is accepted. */
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type AskView = Message<typeof askView>;

/** Those that the asking shell may see: who waits first, then the oldest. */
export const askList = z.strictObject({ asks: z.array(askView) });

export const deskAttachment = z.strictObject({
  asks: z.array(askView),
  /** False for a shell without a terminal that isn't Sallyport.app: it only sees what waits. */
  attached: z.boolean(),
});

export const deskDecision = z.strictObject({
  ids: z.array(z.string()),
  answer: deskAnswer,
  /** Those that ran, the one that failed, and each accepted host key. */
  ran: z.array(requestRun),
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
  /** `because` is what ended it; a request that only changed hands has no end. */
  ended: z.strictObject({ id: z.string(), because: withdrawalReason }).nullable(),
});
export type DeskChange = Message<typeof deskChange>;
