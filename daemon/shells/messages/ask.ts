/**
 * What waits for the person, and its parts, as a card shows them (spec §12). Others' text is
 * unchanged: a shell escapes it.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { engine, externalClientsLevel, scope, statementClass, tokenExpiry } from './words.ts';

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
  /** Of a plan: what each of its statements takes, by number: `2: deletes 3 rows of orders`. */
  steps: z.array(z.string()).optional(),
  /** Sentences on what could not be counted, and why; null if everything was. */
  note: z.string().nullable(),
});

/**
 * A part of our words. `code` is its English with `%@` for each value; by it shells say the same.
 */
export const reasonPart = z.strictObject({ code: z.string(), values: z.array(z.string()) });

/** Our sentence, and the same in parts, joined by blanks. */
export const said = z.strictObject({ text: z.string(), parts: z.array(reasonPart) });
export type Said = Message<typeof said>;

export const askedStatement = z.strictObject({
  text: z.string(),
  class: statementClass,
  /** Of a plan: how many there are. */
  statements: z.int().optional(),
  /** Absent if nothing was counted. */
  takes: statementTakes.optional(),
  /** Code points. */
  characters: z.int(),
  lines: z.int(),
});

export type AskedStatement = Message<typeof askedStatement>;

/**
 * What would have allowed it: a higher level, a token that may write, an approval, an approval of
 * the first use, or of a host key.
 */
export const missingAccess = z.enum(['connection_level', 'token_scope', 'yes', 'first_use', 'host_key']);

/**
 * Who runs it once it is allowed: the client, which sends it again; or the person, if the client's
 * token can't.
 */
export const requestRunner = z.enum(['client', 'owner']);

/** What a statement runs with, besides what a question shows. */
export const statementContext = z.strictObject({
  /** Its parameters in order, each as JSON. */
  parameters: z.array(z.string()),
  schema: z.string().nullable(),
  database: z.string().nullable(),
});

export const requestedStatement = z.intersection(askedStatement, statementContext);

/**
 * Others' text is unchanged: the app escapes it. Very long text has its middle replaced by a count.
 */
export const confirmationFact = z.strictObject({
  /**
   * The daemon's own words: unique, but in a policy file's, where a `Connection` or `Setting`
   * begins each part.
   */
  label: z.string(),
  value: z.string(),
  /** Of a value in the daemon's words: the same in parts, joined by blanks. */
  parts: z.array(reasonPart).optional(),
  /** True for what the asker says of itself: nobody has verified it. */
  isClaim: z.boolean().optional(),
  /** The value until now; null if there is none. */
  former: z.string().nullable(),
  /** `lines`: line feeds are drawn as such; otherwise they are escaped too. */
  form: z.enum(['line', 'lines']),
});
export type ConfirmationFact = Message<typeof confirmationFact>;

export const pairingConnection = z.strictObject({
  id: z.string(),
  name: z.string(),
  engine,
  /** What any client may do there at this moment; `blocked` if it sees nothing of it. */
  externalClients: externalClientsLevel,
});
export type PairingConnection = Message<typeof pairingConnection>;

export const pairingRedirect = z.strictObject({
  /** Receives the code. */
  address: z.string(),
  /**
   * The app registered for its scheme, or the program that listens there; null if the system
   * doesn't tell.
   */
  receiver: z.string().nullable(),
  /**
   * `anybodys`: of a scheme that any app may claim. It is opened only after a sheet has named the
   * receiver, and a no opens nothing.
   */
  kind: z.enum(['loopback', 'app', 'anybodys']),
});

/** What is asked for. `increase`: another shell's privilege increase. */
export const askKind = z.enum(['statement', 'first_use', 'host_key', 'increase', 'pairing']);
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
  /** Its card's, which asks what is wanted; our words alone. */
  title: said,
  /** True if a call or a shell waits for the answer; false if the client has to ask again. */
  waits: z.boolean(),
  /** The asker's own name for itself; unverified. */
  client: z.string(),
  /** Null if it asks through the stdio bridge, which has a token of its own, or is a shell. */
  token: z.string().nullable(),
  /** Null for an increase or a pairing, which may be about several or none. */
  connection: askedConnection.nullable(),
  /** What would have allowed it; null if somebody waits. */
  lacks: missingAccess.nullable(),
  /** Who runs the statement once it is allowed; null if nothing runs. */
  runsBy: requestRunner.nullable(),
  /** What a yes allows and for how long, in our words; null if a statement says it. */
  means: z.string().nullable(),
  statement: requestedStatement.nullable(),
  /**
   * Of an increase: what it does, on one line. Others' text stands in quotes that it can't close.
   */
  sentence: z.string().nullable(),
  /** In drawing order. A statement, its values and what it takes are drawn below them. */
  facts: z.array(confirmationFact),
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
