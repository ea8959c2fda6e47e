/** Limits on what a peer on the control socket can cost (spec §11). Decides nothing else. */

import { maxControlLineBytes } from '../../../shared/control.ts';

export const controlLimits = {
  /**
   * Time for a new peer to identify us or prove itself; from `shell.challenge` on, for its proof.
   */
  proofMilliseconds: 10_000,
  /**
   * A peer without proof sends `identify` and the proof's two steps; none needs a tenth of this.
   */
  plainLineBytes: 4_096,
  /**
   * So many plain lines are answered at once; each later one on that connection waits this long.
   */
  quickPlainLines: 8,
  plainPaceMilliseconds: 250,
  /**
   * Like `unreadBytes`, before a proof: hundreds may be connected, and each gets only a few short
   * answers.
   */
  unreadPlainBytes: 16_384,
  sealedLineBytes: maxControlLineBytes,
  /** Peers that have said nothing useful yet; at the limit the one waiting longest is dropped. */
  silentPeers: 64,
  /**
   * Bridges stay connected as long as their client runs; at the limit the one quiet longest is
   * dropped and proves us again.
   */
  identifiedPeers: 512,
  /** Without those that ask a person; at the limit the quietest of the program that has most. */
  shells: 64,
  /** Shells that ask a person, so none is closed for another. Beyond it one a terminal. */
  asking: 64,
  /** Half of them for one tree. More than anyone has terminals; each may leave `unreadBytes`. */
  askingAtMost: 256,
  requestsInFlight: 32,
  /** A longer text is no passphrase. */
  passphraseCharacters: 1_024,
  /** A P-256 signature has some 96. */
  signatureCharacters: 256,
  /** Kept for a shell that doesn't read its answers; beyond it the connection is cut. */
  unreadBytes: 8 * 1_048_576,
  /** Time between two notifications of changed lists to one shell. */
  changesPauseMilliseconds: 100,
  /** Time for a peer to read its last answer at close. */
  closeMilliseconds: 500,
};
export type ControlLimits = Readonly<typeof controlLimits>;
