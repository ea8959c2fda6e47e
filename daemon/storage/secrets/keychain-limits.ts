/** How long a keychain may keep us waiting. */

export const keychainLimits = {
  /** Spec §1: a prompt may never be answered. The person sees "unavailable" by then, and the prompt stays. */
  callSeconds: 10,
  /** A prompt left open that long is given up, with the process that waits for it. */
  stuckSeconds: 120,
  /** The process is 40 MB that a daemon at rest has no use for; another takes some 60 ms to start. */
  idleSeconds: 30,
} as const;

export interface KeychainLimits {
  readonly callSeconds: number;
  readonly stuckSeconds: number;
  readonly idleSeconds: number;
}
