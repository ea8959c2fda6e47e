/**
 * What a client was refused and its user may allow (spec §12). Others' text is unchanged: a shell
 * escapes it.
 */

import * as z from 'zod';
import { askedConnection, askedStatement } from './approvals.ts';
import type { Message } from './message.ts';

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

export const accessRequestView = z.strictObject({
  /** Eight letters and digits, for people to type. */
  id: z.string(),
  /** The client's own name for itself; unverified. */
  client: z.string(),
  /** The programs that started its bridge, outermost first: `claude, bash`. Null if unknown. */
  program: z.string().nullable(),
  /** Null if it asks through the stdio bridge, which has a token of its own. */
  token: z.string().nullable(),
  /** True if that is the name of a box. */
  isBox: z.boolean().optional(),
  connection: askedConnection,
  lacks: missingAccess,
  runsBy: requestRunner,
  /**
   * What an approval of a first use allows and for how long (`Read and write for 8 hours.`), or
   * which host key it accepts. Null for a statement.
   */
  means: z.string().nullable(),
  statement: requestedStatement.nullable(),
  /** How often it was asked. */
  times: z.int(),
  /** ISO 8601. */
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type AccessRequestView = Message<typeof accessRequestView>;

export const accessRequestList = z.strictObject({ requests: z.array(accessRequestView) });

/**
 * `once`: each runs when its client sends it again. `run`: they run now, in this order, as the
 * person, up to the first failure.
 */
export const requestAnswer = z.enum(['no', 'run', 'once']);

export const requestRun = z.strictObject({
  id: z.string(),
  rowsAffected: z.int().nullable(),
  warnings: z.array(z.string()),
  /** One sentence; null if it ran. */
  failed: z.string().nullable(),
  /** Fingerprint of the accepted SSH host key: nothing ran, but the connection was tried. */
  hostKey: z.string().optional(),
});

export const accessRequestAnswer = z.strictObject({
  ids: z.array(z.string()),
  answer: requestAnswer,
  /** Those that ran, the one that failed, and each accepted host key. */
  ran: z.array(requestRun),
});
export type AccessRequestAnswer = Message<typeof accessRequestAnswer>;
