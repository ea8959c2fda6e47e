/** Wires the pairings of one run (spec §10): the register over the tokens, its clock, what shells and the exchange are told. */

import { randomUUID } from 'node:crypto';
import { openPairings, type Pairings, pairingLimits } from './access/pairing/pairing.ts';
import type { TokenRegister } from './access/tokens/token-register.ts';
import type { ActivityLog } from './activity.ts';

interface PairingsOptions {
  readonly tokens: Pick<TokenRegister, 'mintUnkept' | 'keep' | 'dropUnkept' | 'onEnded'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that is never set and does not stand still (access/elapsed-clock.ts). */
  readonly elapsed: () => number;
  readonly activity: Pick<ActivityLog, 'record'>;
  /** A sheet that had to wait may be drawn now. */
  readonly onTurn: (id: string) => void;
}

interface PairingsOfRun extends Pairings {
  close(): void;
}

/** How long an expired request may keep the next one waiting, or an expired code its token listed. */
const sweepMilliseconds = 5_000;

export function pairingsOfRun({ tokens, now, elapsed, activity, onTurn }: PairingsOptions): PairingsOfRun {
  const undecided = { category: 'access', action: 'pairing.decide', outcome: 'denied' } as const;
  const pairings = openPairings({
    ...{ now, elapsed, newId: randomUUID, newCode: randomUUID, tokens, limits: pairingLimits },
    onUndecided({ client }, why) {
      const reason = why === 'expired' ? 'nobody decided in time' : 'the sheet was closed';
      activity.record({ ...undecided, client, reason });
    },
  });
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
