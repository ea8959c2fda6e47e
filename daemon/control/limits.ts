/** The numbers that bound what a peer on the control socket can cost (spec §11). Decides nothing else. */

import { maxControlLineBytes } from '../../shared/control.ts';

export interface ControlLimits {
  /** Until a fresh peer has identified us or proved itself; from `shell.challenge` on, until its proof. */
  readonly proofMilliseconds: number;
  /** A peer without proof says `identify` and the proof's two steps; none needs a tenth of this. */
  readonly plainLineBytes: number;
  /** As many plain lines are answered as they come; each later one of that connection waits this long. */
  readonly quickPlainLines: number;
  readonly plainPaceMilliseconds: number;
  /** As `unreadBytes`, before a proof: hundreds may be connected, and none is owed more than a few short answers. */
  readonly unreadPlainBytes: number;
  readonly sealedLineBytes: number;
  /** Peers that have said nothing of worth yet; at the limit the one waiting longest gives way. */
  readonly silentPeers: number;
  /** Bridges stay connected for as long as their client runs; at the limit the one quiet longest gives way and proves us anew. */
  readonly identifiedPeers: number;
  readonly shells: number;
  readonly requestsInFlight: number;
  /** A longer one is none. */
  readonly passphraseCharacters: number;
  /** Held for a shell that doesn't read its answers; beyond it the connection is cut. */
  readonly unreadBytes: number;
  /** Between two times that a shell is told of changed lists. */
  readonly changesPauseMilliseconds: number;
  /** What a peer gets at close to read its last answer. */
  readonly closeMilliseconds: number;
}

export const controlLimits: ControlLimits = {
  proofMilliseconds: 10_000,
  plainLineBytes: 4_096,
  quickPlainLines: 8,
  plainPaceMilliseconds: 250,
  unreadPlainBytes: 16_384,
  sealedLineBytes: maxControlLineBytes,
  silentPeers: 64,
  identifiedPeers: 512,
  shells: 64,
  requestsInFlight: 32,
  passphraseCharacters: 1_024,
  unreadBytes: 8 * 1_048_576,
  changesPauseMilliseconds: 100,
  closeMilliseconds: 500,
};
