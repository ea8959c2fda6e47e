/**
 * The classification of a statement on a connection. Names are as the statement writes them,
 * `schema.name` if it names the schema.
 */

import * as z from 'zod';
import type { Message } from './message.ts';
import { statementClass } from './words.ts';

export const statementVerdict = z.strictObject({
  class: statementClass,
  /** One sentence: what decided the class. */
  reason: z.string(),
  tables: z.array(z.string()),
  /** Functions and procedures that are not built in. */
  calls: z.array(z.string()),
});
export type StatementVerdict = Message<typeof statementVerdict>;

export const fileStatements = z.strictObject({ statements: z.array(z.string()) });
