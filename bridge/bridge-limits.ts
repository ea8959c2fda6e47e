/** Every number of the bridge, with its reason. */

export const bridgeLimits = {
  /** Above the daemon's body cap, so that the daemon gives the answer (-33005); only what is far over it is dropped here. */
  maxLineBytes: 16 * 1024 * 1024,
  /** Of a batch, which is refused with an error for each. */
  maxBatchIds: 10_000,
  /** Reading stdin pauses while so much of it waits for an answer: memory stays bounded however fast a client writes. */
  maxUnansweredBytes: 24 * 1024 * 1024,
  maxUnansweredRequests: 256,
  /** Less than the daemon's 75 s: a request that met its closing of an idle connection would be lost. */
  idleConnectionMilliseconds: 60_000,
  /** Of each response, before somebody takes it. */
  maxHeldBytes: 64 * 1024,
  /** Of the daemon's 512, which other clients share; what is over it waits here. */
  maxConnections: 32,
  /** Spec §2. */
  launchPollMilliseconds: 200,
  /** From the first look to the last word: the launch's 10 s (spec §2), less what it takes to say so within them. */
  findMilliseconds: 9_700,
  /** What came with a proof answers an `initialize` for so long; later ones ask anew, for Sallyport may have been paused or updated. */
  discoveryMilliseconds: 1_000,
  /** A control socket that takes this long to identify itself is not answering. */
  identifyMilliseconds: 2_000,
  /** The token is rotated 15 minutes before it expires (spec §5), so a file this close to it has a successor to be read. */
  rereadBeforeExpiryMilliseconds: 5 * 60_000,
  /** How often a token that is about to expire, but has no successor yet, is looked after. */
  rereadPauseMilliseconds: 20_000,
  /** What was asked just before stdin closed may still be answered in this time; the bridge is gone within 200 ms (spec §15). */
  lastAnswersMilliseconds: 110,
  parentCheckMilliseconds: 80,
  /** When the first answers are out, what only matters in the long run is seen to. */
  settledMilliseconds: 30,
  /** How long a request is without an answer before the daemon is asked whether it lives, and how often then. */
  watchMilliseconds: 1_000,
  /** How long each of two such questions may stay unanswered; in sum it is said within 10 s. A busy daemon answers in a fraction. */
  silenceMilliseconds: [6_000, 2_000],
  /** A sentence on stderr is not said again so soon. */
  sameSentenceMilliseconds: 10_000,
  /** Nothing more is asked for while a client leaves so much unread. */
  maxUnreadBytes: 4 * 1024 * 1024,
  /** Answers longer than this are gathered one after the other: thirty at once would be hundreds of megabytes. */
  largeAnswerBytes: 256 * 1024,
  /** Read on, but not looked at, while no more is taken up: only whoever reads notices that stdin has ended. */
  maxReadAheadBytes: 4 * 1024 * 1024,
  /** A client subscribes to what its user has open. */
  maxSubscribedUris: 256,
  /** When a stream of changes ended under a daemon that stands (its token expired, it was paused), it is asked for again; then ever more rarely. */
  leastListenPauseMilliseconds: 1_000,
  mostListenPauseMilliseconds: 60_000,
} as const;
