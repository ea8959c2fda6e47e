/**
 * How long a removed connection is kept with its secrets (spec §6), and which one a person means to
 * restore.
 */

import type { Connection } from './connection.ts';

export interface RemovedConnection {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
  /** Null if its record can't be read: it is kept and can't be restored. */
  readonly connection: Connection | null;
}

export interface RestorableConnection extends RemovedConnection {
  readonly connection: Connection;
}

/** An agent may remove the only copy of a password: the person has a week to notice. */
const keptMilliseconds = 7 * 86_400_000;

/** Milliseconds since 1970. */
export function keptUntil({ removedAt }: Pick<RemovedConnection, 'removedAt'>): number {
  return removedAt + keptMilliseconds;
}

export function isKept(removed: RemovedConnection, nowMilliseconds: number): boolean {
  return nowMilliseconds < keptUntil(removed);
}

/** Removed last comes first. */
export function restorable(
  removed: readonly RemovedConnection[],
  nowMilliseconds: number,
): readonly RestorableConnection[] {
  return removed
    .filter((one): one is RestorableConnection => one.connection !== null && isKept(one, nowMilliseconds))
    .sort((a, b) => b.removedAt - a.removedAt);
}
