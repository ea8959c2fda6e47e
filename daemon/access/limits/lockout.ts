/**
 * Counts failed attempts per client address and locks addresses out (spec §13). The door decides
 * what counts as a failure and who is spared. Bounded in memory; forgotten at the run's end.
 */

interface LockoutRule {
  /** So many failures get their own answer; the next attempt meets the lock. */
  readonly failures: number;
  readonly withinSeconds: number;
  readonly lockedSeconds: number;
}

export const lockoutRules = {
  authentication: { failures: 5, withinSeconds: 60, lockedSeconds: 300 },
  exchange: { failures: 5, withinSeconds: 300, lockedSeconds: 900 },
  /**
   * Locks nobody out: these many malformed exchanges get a log row each, later ones are counted
   * (spec §10).
   */
  malformedExchange: { failures: 5, withinSeconds: 60, lockedSeconds: 60 },
} as const satisfies Record<string, LockoutRule>;

export interface Lockout {
  /** Whole seconds until the address may try again, at least 1; 0 if it is not locked out. */
  secondsLeft(address: string): number;
  failed(address: string): void;
}

interface Count {
  /** When each failure happened, oldest first; at most as many as the rule needs. */
  failedAt: readonly number[];
  lockedUntil: number;
}

/**
 * Beyond this, addresses share one count: if old ones were forgotten, a flood of addresses would
 * lift its own lock.
 */
const addressesCounted = 256;
const everyoneElse = '';

/**
 * @param elapsed milliseconds of a clock that is never set: a change of the wall clock must neither
 *   end nor prolong a lock.
 */
export function lockout(rule: LockoutRule, elapsed: () => number): Lockout {
  const counts = new Map<string, Count>();

  function isOver({ failedAt, lockedUntil }: Count, now: number): boolean {
    return now >= lockedUntil && now - (failedAt.at(-1) ?? 0) >= rule.withinSeconds * 1000;
  }

  function keyFor(address: string, now: number): string {
    if (counts.has(address) || counts.size < addressesCounted) return address;
    for (const [key, count] of counts) if (isOver(count, now)) counts.delete(key);
    return counts.size < addressesCounted ? address : everyoneElse;
  }

  return {
    secondsLeft(address) {
      const count = counts.get(address) ?? counts.get(everyoneElse);
      const left = (count?.lockedUntil ?? 0) - elapsed();
      return left > 0 ? Math.ceil(left / 1000) : 0;
    },
    failed(address) {
      const now = elapsed();
      const key = keyFor(address, now);
      // Requests that started before the lock don't extend it.
      if (now < (counts.get(key)?.lockedUntil ?? 0)) return;
      const recent = (counts.get(key)?.failedAt ?? []).filter(at => now - at < rule.withinSeconds * 1000);
      const failedAt = [...recent, now].slice(-rule.failures);
      const isFull = failedAt.length >= rule.failures;
      // The lock pays for its failures: afterwards the count starts again.
      counts.set(
        key,
        isFull ? { failedAt: [], lockedUntil: now + rule.lockedSeconds * 1000 } : { failedAt, lockedUntil: 0 },
      );
    },
  };
}
