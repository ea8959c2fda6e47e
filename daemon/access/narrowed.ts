/** The most that a connection may allow by what was last taken from it (spec §1), and whether a change takes something. No state. */

import {
  type AiPolicy,
  aiPolicies,
  type Connection,
  type ExternalClientsLevel,
  externalClientsLevels,
} from './connection.ts';

export interface Narrowed {
  readonly id: string;
  readonly level: ExternalClientsLevel;
  /** ISO 8601, of `readWrite`. */
  readonly writeUntil: string | null;
  readonly aiPolicy: AiPolicy;
  /** Milliseconds since 1970; null for one that is in use. */
  readonly removedAt: number | null;
}

export function narrowedTo({ id, externalClients, aiPolicy }: Connection): Narrowed {
  return { id, level: externalClients.level, writeUntil: externalClients.writeUntil, aiPolicy, removedAt: null };
}

/** Whether it takes nothing from anything. */
export function isUnlimited({ level, writeUntil, aiPolicy, removedAt }: Narrowed): boolean {
  return level === 'readWrite' && writeUntil === null && aiPolicy === 'always' && removedAt === null;
}

/** @returns the same object where it allows no more than that. */
export function atMost(connection: Connection, most: Narrowed): Connection {
  const { level, writeUntil } = connection.externalClients;
  const isHigher = levelOf(level, writeUntil) > levelOf(most.level, most.writeUntil);
  const isWider = aiPolicies.indexOf(connection.aiPolicy) < aiPolicies.indexOf(most.aiPolicy);
  if (!isHigher && !isWider) return connection;
  return {
    ...connection,
    ...(isHigher && { externalClients: { level: most.level, writeUntil: most.writeUntil } }),
    ...(isWider && { aiPolicy: most.aiPolicy }),
  };
}

/** The most of both, for the moment in which either may hold. */
export function eitherOf(one: Narrowed, other: Narrowed): Narrowed {
  const higher = levelOf(one.level, one.writeUntil) > levelOf(other.level, other.writeUntil) ? one : other;
  const wider = aiPolicies.indexOf(one.aiPolicy) < aiPolicies.indexOf(other.aiPolicy) ? one : other;
  const isRemoved = one.removedAt !== null && other.removedAt !== null;
  return {
    ...{ id: one.id, level: higher.level, writeUntil: higher.writeUntil, aiPolicy: wider.aiPolicy },
    removedAt: isRemoved ? one.removedAt : null,
  };
}

/** Of two that may write, the one that may for longer is the higher. */
function levelOf(level: ExternalClientsLevel, writeUntil: string | null): number {
  const place = externalClientsLevels.indexOf(level);
  if (level !== 'readWrite') return place;
  const until = writeUntil === null ? Number.POSITIVE_INFINITY : Date.parse(writeUntil);
  return place + (until === Number.POSITIVE_INFINITY ? 1 : until / 1e16);
}
