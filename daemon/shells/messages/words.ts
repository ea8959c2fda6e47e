/**
 * The words for levels, scopes and lifetimes (spec §5, §6) that messages of several nouns carry.
 */

import * as z from 'zod';
import { engines } from '../../../shared/engine.ts';
import { expiryDays, externalClientsLevels, scopes } from '../../../shared/words.ts';
import type { Message } from './message.ts';

export const engine = z.enum(engines);

export const externalClientsLevel = z.enum(externalClientsLevels);
export type ExternalClientsWord = Message<typeof externalClientsLevel>;

/** From the least to the most. */
export const scope = z.enum(scopes);
export type ScopeWord = Message<typeof scope>;

/** How long a token lives: days, or for ever. */
export const tokenExpiry = z.union([z.literal(expiryDays), z.literal('never')]);

export const yesOrNo = z.enum(['yes', 'no']);

/** `cancelled`: the request that asked has ended, or the shell that asked has gone. */
export const withdrawalReason = z.enum(['yes', 'no', 'timeout', 'cancelled']);

/** What a statement is: from harmless to never run. */
export const statementClass = z.enum(['read', 'write', 'destructive', 'forbidden']);

/** A connection by both of what it can be named with. */
export const connectionReference = z.strictObject({ id: z.string(), name: z.string() });
