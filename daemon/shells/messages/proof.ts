/** What `connections.prove` found: of each kind of attack, what holds it here (docs/walls.md). */

import * as z from 'zod';
import { attackKinds, rightCodes } from '../../../shared/proof-codes.ts';
import type { Message } from './message.ts';
import { engine, externalClientsLevel, statementClass } from './words.ts';

const kind = z.enum(attackKinds);

/** `passed` of `of`: what still changes or tells something, measured with the guard off. */
const measured = z.strictObject({ passed: z.int(), of: z.int() });

export const attackProof = z.strictObject({
  kind,
  /** Put to the guard. `untried`: the database has no name to put in, or time ran out. */
  tried: z.int(),
  /** Those that were, with the guard's class; null if the server doesn't know what it says. */
  statements: z.array(z.strictObject({ sql: z.string(), class: statementClass.nullable() })),
  untried: z.int(),
  /** How many of them are writes, which a connection may allow. */
  writes: z.int(),
  /** What the guard takes for less than is published. */
  passed: z.array(z.strictObject({ sql: z.string(), class: statementClass })),
  /** The engine's wall: a session that only reads; null if this server showed that it has none. */
  session: measured.nullable(),
  /** The account's rights alone; null if the engine has no accounts. */
  account: measured.nullable(),
});

export const provedRight = z.strictObject({
  code: z.enum(rightCodes),
  /** Names of what it is about; `more` are not listed. */
  on: z.array(z.string()),
  more: z.int(),
  /** The statement that ends it; null if none does. */
  revoke: z.string().nullable(),
  opens: z.array(kind),
});

export const connectionProof = z.strictObject({
  id: z.string(),
  name: z.string(),
  engine,
  serverVersion: z.string(),
  user: z.string().nullable(),
  level: externalClientsLevel,
  attacks: z.array(attackProof),
  /** Null if the engine has no accounts. */
  rights: z.array(provedRight).nullable(),
});
export type ConnectionProof = Message<typeof connectionProof>;
