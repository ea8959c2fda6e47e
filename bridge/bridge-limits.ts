/** The numbers that several files of the bridge, or its tests, hold to, each with its reason. */

/** What of its client's lines is held at once. */
export interface LineLimits {
  readonly maxLineBytes: number;
  /**
   * Reading pauses while so much of it waits for an answer: memory stays bounded however fast a
   * client writes.
   */
  readonly maxUnansweredBytes: number;
  readonly maxUnansweredRequests: number;
}

export const bridgeLimits = {
  /**
   * Above the daemon's body cap, so that the daemon gives the answer (-33005); only what is far
   * over it is dropped here.
   */
  maxLineBytes: 16 * 1024 * 1024,
  maxUnansweredBytes: 24 * 1024 * 1024,
  maxUnansweredRequests: 256,
  /** Of the daemon's 512, which other clients share; what is over it waits here. */
  maxConnections: 32,
  /**
   * What came with a proof answers an `initialize` for so long; later ones ask anew, for Sallyport
   * may have been paused or updated.
   */
  discoveryMilliseconds: 1_000,
  /** A control socket that takes this long to identify itself is not answering. */
  identifyMilliseconds: 2_000,
  /**
   * How long a request is without an answer before the daemon is asked whether it lives, and how
   * often then.
   */
  watchMilliseconds: 1_000,
} as const;
