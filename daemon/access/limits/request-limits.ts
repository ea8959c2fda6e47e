/**
 * The numbers that requests are held to (spec §13). Settings move the first two (spec §16);
 * counting is done elsewhere.
 */

export interface RequestLimits {
  /** In any 60 seconds, per principal; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Per principal; 0 for no limit. */
  readonly concurrentRequests: number;
}

export const defaultRequestLimits: RequestLimits = { requestsPerMinute: 240, concurrentRequests: 8 };

/**
 * How many times one principal's share all bridges together have. Each bridge process names itself,
 * so without a common bound a program that keeps giving itself new names would have none.
 */
export const bridgesTogether = { requests: 4, concurrent: 8 } as const;

/**
 * Requests of a principal for which no slot is left (spec §13). A client that sends a few too many
 * at once is no attacker.
 */
export const waitingRequests = {
  most: 32,
  /** Less than clients wait for an answer, so that they hear why. */
  milliseconds: 10_000,
  /**
   * Bodies read beyond those that wait: one may be the notification that cancels what holds the
   * slots.
   */
  messages: 8,
} as const;
