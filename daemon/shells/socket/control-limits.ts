/**
 * The numbers that bound what a peer on the control socket can cost (spec §11). Decides nothing
 * else.
 */

import { maxControlLineBytes } from '../../../shared/control.ts';

export const controlLimits = {
  /**
   * Until a fresh peer has identified us or proved itself; from `shell.challenge` on, until its
   * proof.
   */
  proofMilliseconds: 10_000,
  /** A peer without proof says `identify` and the proof's two steps; none needs a tenth of this. */
  plainLineBytes: 4_096,
  /**
   * As many plain lines are answered as they come; each later one of that connection waits this
   * long.
   */
  quickPlainLines: 8,
  plainPaceMilliseconds: 250,
  /**
   * As `unreadBytes`, before a proof: hundreds may be connected, and none is owed more than a few
   * short answers.
   */
  unreadPlainBytes: 16_384,
  sealedLineBytes: maxControlLineBytes,
  /** Peers that have said nothing of worth yet; at the limit the one waiting longest gives way. */
  silentPeers: 64,
  /**
   * Bridges stay connected for as long as their client runs; at the limit the one quiet longest
   * gives way and proves us anew.
   */
  identifiedPeers: 512,
  shells: 64,
  requestsInFlight: 32,
  /** A longer one is none. */
  passphraseCharacters: 1_024,
  /** Held for a shell that doesn't read its answers; beyond it the connection is cut. */
  unreadBytes: 8 * 1_048_576,
  /** Between two times that a shell is told of changed lists. */
  changesPauseMilliseconds: 100,
  /** What a peer gets at close to read its last answer. */
  closeMilliseconds: 500,
};
export type ControlLimits = Readonly<typeof controlLimits>;
