/** Every number of the bridge, with its reason. */

export const bridgeLimits = {
  /** Above the daemon's body cap, so that the daemon gives the answer (-33005); only what is far over it is dropped here. */
  maxLineBytes: 16 * 1024 * 1024,
  /** Reading stdin pauses while so much of it waits for an answer: memory stays bounded however fast a client writes. */
  maxUnansweredBytes: 64 * 1024 * 1024,
  maxUnansweredRequests: 256,
  /** Of the daemon's 512, which other clients share; what is over it waits here. */
  maxConnections: 32,
  /** FD §3.5. */
  launchPollMilliseconds: 200,
  /** From the first look to the last word: the launch's 10 s (FD §3.5), less what it takes to say so within them. */
  findMilliseconds: 9_700,
  /** A control socket that takes this long to identify itself is not answering. */
  identifyMilliseconds: 2_000,
  /** The token is rotated 15 minutes before it expires (FD §3.3), so a file this close to it has a successor to be read. */
  rereadBeforeExpiryMilliseconds: 5 * 60_000,
  /** How often a token that is about to expire, but has no successor yet, is looked after. */
  rereadPauseMilliseconds: 20_000,
  /** What was asked just before stdin closed may still be answered in this time; the bridge is gone within 200 ms (SPEC §15). */
  lastAnswersMilliseconds: 60,
  parentCheckMilliseconds: 80,
} as const;
