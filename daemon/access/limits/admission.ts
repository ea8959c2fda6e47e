/**
 * All that the HTTP door holds its callers to besides their token (spec §4 order, §13), made once
 * for a run.
 */

import { isAlive } from '../../../shared/process-alive.ts';
import type { StoreDoubt } from '../store-doubt.ts';
import type { DeadTokens } from '../tokens/dead-tokens.ts';
import type { TokenUses } from '../tokens/token-uses.ts';
import { type Concurrency, concurrency } from './concurrency.ts';
import { type Lockout, lockout, lockoutRules } from './lockout.ts';
import { type PresentClients, presentClients } from './present-clients.ts';
import { type RateLimit, rateLimit } from './rate-limit.ts';
import type { RequestLimits } from './request-limits.ts';

export interface Admission {
  /** Of authentication on `/mcp`. */
  readonly lockout: Lockout;
  /** Of exchanges of a pairing code. */
  readonly exchangeLockout: Lockout;
  readonly malformedExchanges: Lockout;
  readonly uses: Pick<TokenUses, 'used'>;
  readonly deadTokens: Pick<DeadTokens, 'isDead'>;
  readonly rate: RateLimit;
  readonly concurrency: Concurrency;
  readonly isPaused: () => boolean;
  /** Why a start paused by itself; null where a person did. */
  readonly doubt: () => StoreDoubt | null;
  /** Who is connected now. */
  readonly clients: PresentClients;
}

interface AdmissionPorts extends Pick<Admission, 'uses' | 'deadTokens' | 'isPaused' | 'doubt'> {
  /** Asked at each request, so that a changed setting holds at once. */
  readonly limits: () => RequestLimits;
  /** Milliseconds of a clock that is never set and does not stand still (elapsed-clock.ts). */
  readonly elapsed: () => number;
}

export function makeAdmission({ limits, elapsed, uses, deadTokens, isPaused, doubt }: AdmissionPorts): Admission {
  return {
    lockout: lockout(lockoutRules.authentication, elapsed),
    exchangeLockout: lockout(lockoutRules.exchange, elapsed),
    malformedExchanges: lockout(lockoutRules.malformedExchange, elapsed),
    rate: rateLimit(limits, elapsed),
    concurrency: concurrency(limits),
    clients: presentClients(elapsed, isAlive),
    uses,
    deadTokens,
    isPaused,
    doubt,
  };
}
