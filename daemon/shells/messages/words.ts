/** Words for levels, scopes and lifetimes (spec §5, §6) that messages of several nouns share. */

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

/** `cancelled`: the asking request has ended, or its shell is gone. */
export const withdrawalReason = z.enum(['yes', 'no', 'timeout', 'cancelled']);

/** A statement's class, from harmless to never run. */
export const statementClass = z.enum(['read', 'write', 'destructive', 'forbidden']);

/** A connection by its id and its name. */
export const connectionReference = z.strictObject({ id: z.string(), name: z.string() });
