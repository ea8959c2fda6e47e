/**
 * Everything that the HTTP door checks besides a caller's token (spec §4 order, §13), made once per
 * run.
 */

import { isAlive } from '../../../shared/process-alive.ts';
import type { StoreDoubt } from '../store-doubt.ts';
import type { RetiredBridgeTokens } from '../tokens/retired-bridge-tokens.ts';
import type { TokenUses } from '../tokens/token-uses.ts';
import { type Concurrency, concurrency } from './concurrency.ts';
import { type Lockout, lockout, lockoutRules } from './lockout.ts';
import { type PresentClients, presentClients } from './present-clients.ts';
import { type RateLimit, rateLimit } from './rate-limit.ts';
import type { RequestLimits } from './request-limits.ts';

export interface Admission {
  /** For authentication on `/mcp`. */
  readonly lockout: Lockout;
  /** For exchanges of a pairing code. */
  readonly exchangeLockout: Lockout;
  readonly malformedExchanges: Lockout;
  readonly uses: Pick<TokenUses, 'used'>;
  readonly retiredBridgeTokens: Pick<RetiredBridgeTokens, 'isRetired'>;
  readonly rate: RateLimit;
  readonly concurrency: Concurrency;
  readonly isPaused: () => boolean;
  /** Why it paused by itself; empty if a person paused it. */
  readonly doubts: () => readonly StoreDoubt[];
  /** The clients connected now. */
  readonly clients: PresentClients;
}

interface AdmissionPorts extends Pick<Admission, 'uses' | 'retiredBridgeTokens' | 'isPaused' | 'doubts'> {
  /** Called at each request, so a changed setting counts at once. */
  readonly limits: () => RequestLimits;
  /** Milliseconds of a clock that is never set and never stands still (elapsed-clock.ts). */
  readonly elapsed: () => number;
}

export function makeAdmission({
  limits,
  elapsed,
  uses,
  retiredBridgeTokens,
  isPaused,
  doubts,
}: AdmissionPorts): Admission {
  return {
    lockout: lockout(lockoutRules.authentication, elapsed),
    exchangeLockout: lockout(lockoutRules.exchange, elapsed),
    malformedExchanges: lockout(lockoutRules.malformedExchange, elapsed),
    rate: rateLimit(limits, elapsed),
    concurrency: concurrency(limits),
    clients: presentClients(elapsed, isAlive),
    uses,
    retiredBridgeTokens,
    isPaused,
    doubts,
  };
}
