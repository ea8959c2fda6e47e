/** Wires the pairings of one run (spec §10): the register over the tokens, its clock, what shells and the exchange are told. */

import { randomUUID } from 'node:crypto';
import { openPairings, type Pairings } from './access/pairing.ts';
import { pairingLimits } from './access/pairing-limits.ts';
import type { TokenRegister } from './access/token-register.ts';

export interface PairingsOptions {
  readonly tokens: Pick<TokenRegister, 'mintUnkept' | 'keep' | 'dropUnkept' | 'onEnded'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** A sheet that had to wait may be drawn now. */
  readonly onTurn: (id: string) => void;
}

export interface PairingsOfRun extends Pairings {
  close(): void;
}

/** How long an expired request may keep the next one waiting, or an expired code its token listed. */
const sweepMilliseconds = 5_000;

export function pairingsOfRun({ tokens, now, onTurn }: PairingsOptions): PairingsOfRun {
  const pairings = openPairings({ now, newId: randomUUID, newCode: randomUUID, tokens, limits: pairingLimits });
  const stopTelling = [tokens.onEnded(pairings.forgetToken), pairings.onTurn(onTurn)];
  const sweeping = setInterval(pairings.sweep, sweepMilliseconds).unref();
  return {
    ...pairings,
    close() {
      clearInterval(sweeping);
      for (const stop of stopTelling) stop();
    },
  };
}
