/**
 * What a client was refused and its user may allow (spec §12). What others wrote stands as they
 * wrote it: a shell escapes it.
 */

import * as z from 'zod';
import { askedConnection, askedStatement } from './approvals.ts';
import type { Message } from './message.ts';

/**
 * What would have let it happen: a higher level, a token that may write, the person's yes, their
 * yes to its first use, or to a host key.
 */
export const missingAccess = z.enum(['connection_level', 'token_scope', 'yes', 'first_use', 'host_key']);

/**
 * Who runs it once it is allowed: the client, which sends it again, or the person, where the
 * client's token can't.
 */
export const requestRunner = z.enum(['client', 'owner']);

/** What a statement runs with, beside what a question says of it. */
export const statementContext = z.strictObject({
  /** The values of its parameters, in their order, each as JSON. */
  parameters: z.array(z.string()),
  schema: z.string().nullable(),
  database: z.string().nullable(),
});

export const requestedStatement = z.intersection(askedStatement, statementContext);

export const accessRequestView = z.strictObject({
  /** Eight letters and digits, for people to type. */
  id: z.string(),
  /** As it calls itself: a claim. */
  client: z.string(),
  /**
   * The programs that started its bridge, outermost first: `claude, bash`. Null where that isn't
   * known.
   */
  program: z.string().nullable(),
  /** Null where it asks through the stdio bridge, which has a token of its own. */
  token: z.string().nullable(),
  connection: askedConnection,
  lacks: missingAccess,
  runsBy: requestRunner,
  /**
   * What a yes to a first use allows and for how long: `Read and write for 8 hours.`; or which host
   * key it takes. Null of a statement.
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
 * person; the first that fails is the last.
 */
export const requestAnswer = z.enum(['no', 'run', 'once']);

export const requestRun = z.strictObject({
  id: z.string(),
  rowsAffected: z.int().nullable(),
  warnings: z.array(z.string()),
  /** One sentence; null where it ran. */
  failed: z.string().nullable(),
  /**
   * The fingerprint of the SSH host key that was taken: nothing ran, but the connection was tried.
   */
  hostKey: z.string().optional(),
});

export const accessRequestAnswer = z.strictObject({
  ids: z.array(z.string()),
  answer: requestAnswer,
  /** Those that ran, and the one that failed; and each host key that was taken. */
  ran: z.array(requestRun),
});
export type AccessRequestAnswer = Message<typeof accessRequestAnswer>;
