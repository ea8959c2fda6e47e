/** Numbers that several files of the bridge, or its tests, depend on, each with its reason. */

/** How much of its client's input the bridge holds at once. */
export interface LineLimits {
  readonly maxLineBytes: number;
  /**
   * Reading pauses while this many bytes wait for an answer. So memory stays bounded however fast a
   * client writes.
   */
  readonly maxUnansweredBytes: number;
  readonly maxUnansweredRequests: number;
}

export const bridgeLimits = {
  /**
   * Above the daemon's body cap, so that the daemon gives the answer (-33005). Only lines far over
   * it are dropped here.
   */
  maxLineBytes: 16 * 1024 * 1024,
  maxUnansweredBytes: 24 * 1024 * 1024,
  maxUnansweredRequests: 256,
  /** The daemon has 512, shared with other clients. Requests over this number wait here. */
  maxConnections: 32,
  /**
   * For how long the facts sent with a proof may answer an `initialize`. Later ones ask again,
   * because Sallyport may have been paused or updated.
   */
  discoveryMilliseconds: 1_000,
  /** For how long a bridge that just started waits for a proof before there is a request. */
  aheadMilliseconds: 2_000,
  /**
   * How long a daemon may take to prove itself for a new connection. On a slow machine with 50
   * bridges two seconds were too short in four of five calls.
   */
  proofMilliseconds: 8_000,
  /**
   * A request waits this long for its answer before the bridge asks the daemon whether it lives. It
   * asks again at this interval.
   */
  watchMilliseconds: 1_000,
} as const;
