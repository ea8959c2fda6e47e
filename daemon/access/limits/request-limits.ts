/** Limits on requests (spec §13). Settings change the first two (spec §16); others count. */

export interface RequestLimits {
  /** In any 60 seconds, per principal; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Per principal; 0 for no limit. */
  readonly concurrentRequests: number;
}

export const defaultRequestLimits: RequestLimits = { requestsPerMinute: 240, concurrentRequests: 8 };

/**
 * All bridges together get so many times one principal's share. Each bridge process names itself,
 * so without a common limit a program that keeps renaming itself would have none. Once it is used
 * up, each branch of processes still has its part, so that no program takes it from the others.
 */
export const bridgesTogether = { requests: 4, concurrent: 8 } as const;

/**
 * Requests that wait for a slot. A client that sends a few too many at once is no
 * attacker.
 */
export const waitingRequests = {
  most: 32,
  /** Shorter than clients wait for an answer, so they learn the reason. */
  milliseconds: 10_000,
  /**
   * Bodies read beyond the waiting requests: one may be the notification that cancels a running
   * request.
   */
  messages: 8,
} as const;
