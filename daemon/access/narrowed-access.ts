/**
 * The most that a connection may allow after access was taken from it (spec §1), and whether a
 * change takes access. No state.
 */

import { isObject } from '../../shared/json.ts';
import { type AiPolicy, type Connection, type ExternalClientsLevel, externalClientsLevels } from './connection.ts';
import { untilMilliseconds } from './effective-access.ts';
import { policyRank } from './privilege-increases/client-use.ts';

export interface NarrowedAccess {
  readonly id: string;
  readonly level: ExternalClientsLevel;
  /** ISO 8601; the end of `readWrite`. */
  readonly writeUntil: string | null;
  readonly aiPolicy: AiPolicy;
  /** Milliseconds since 1970; null while it is in use. */
  readonly removedAt: number | null;
  /** Set until the store, which had no room, has it too. */
  readonly isUnstored?: boolean | undefined;
}

export function narrowedTo({ id, externalClients, aiPolicy }: Connection): NarrowedAccess {
  return { id, level: externalClients.level, writeUntil: externalClients.writeUntil, aiPolicy, removedAt: null };
}

/** True if it limits nothing. */
export function isUnlimited({ level, writeUntil, aiPolicy, removedAt }: NarrowedAccess): boolean {
  return level === 'readWrite' && writeUntil === null && aiPolicy === 'always' && removedAt === null;
}

/** @returns the same object if it allows no more than that. */
export function atMost(connection: Connection, most: NarrowedAccess): Connection {
  const isHigher = letsMore(connection.externalClients, most);
  const isWider = policyRank(connection.aiPolicy) > policyRank(most.aiPolicy);
  if (!isHigher && !isWider) return connection;
  return {
    ...connection,
    ...(isHigher && { externalClients: { level: most.level, writeUntil: most.writeUntil } }),
    ...(isWider && { aiPolicy: most.aiPolicy }),
  };
}

/** Whether the change takes access away, and does nothing else. */
export function onlyNarrows(former: Connection, next: Connection): boolean {
  const { externalClients, aiPolicy, updatedAt } = former;
  return (
    isAlike({ ...next, externalClients, aiPolicy, updatedAt }, former) && atMost(next, narrowedTo(former)) === next
  );
}

/**
 * Compares plain values; the order of fields doesn't count, and an absent field is like
 * `undefined`.
 */
function isAlike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every(key => isAlike(one[key], other[key]));
}

type Level = Pick<NarrowedAccess, 'level' | 'writeUntil'>;

/** True if `a` lets more than `b`. If both may write, the one that lasts longer lets more. */
function letsMore(a: Level, b: Level): boolean {
  if (a.level !== b.level) return externalClientsLevels.indexOf(a.level) > externalClientsLevels.indexOf(b.level);
  return a.level === 'readWrite' && untilMilliseconds(a.writeUntil) > untilMilliseconds(b.writeUntil);
}
