/**
 * Counts failed attempts and locks out who fails (spec §13). All callers are programs of this
 * machine and count as one: told apart by their address, a guesser would have 16 million of them in
 * 127.0.0.0/8. The door decides what counts as a failure and who is spared. Forgotten at the run's
 * end.
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
  /** Whole seconds until the next try, at least 1; 0 if nobody is locked out. */
  secondsLeft(): number;
  failed(): void;
}

/**
 * @param elapsed milliseconds of a clock that is never set: a change of the wall clock must neither
 *   end nor prolong a lock.
 */
export function lockout(rule: LockoutRule, elapsed: () => number): Lockout {
  /** Oldest first; at most as many as the rule needs. */
  let failedAt: readonly number[] = [];
  let lockedUntil = 0;

  return {
    secondsLeft: () => Math.max(0, Math.ceil((lockedUntil - elapsed()) / 1000)),
    failed() {
      const now = elapsed();
      // Requests that started before the lock don't extend it.
      if (now < lockedUntil) return;
      failedAt = [...failedAt.filter(at => now - at < rule.withinSeconds * 1000), now];
      if (failedAt.length < rule.failures) return;
      // The lock pays for its failures: afterwards the count starts again.
      failedAt = [];
      lockedUntil = now + rule.lockedSeconds * 1000;
    },
  };
}
