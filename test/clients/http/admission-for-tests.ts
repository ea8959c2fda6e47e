/**
 * What the HTTP server enforces in tests: nothing at all, or everything on a clock of the test's
 * own.
 */

import { accessInUse } from '../../../daemon/access/access-in-use.ts';
import { type Admission, makeAdmission } from '../../../daemon/access/limits/admission.ts';
import { defaultRequestLimits, type RequestLimits } from '../../../daemon/access/limits/request-limits.ts';
import { retiredBridgeTokens } from '../../../daemon/access/tokens/retired-bridge-tokens.ts';
import { tokenUses } from '../../../daemon/access/tokens/token-uses.ts';
import type { ExchangePorts } from '../../../daemon/clients/http/exchange.ts';

/** There are no codes. */
export function noPairings(): ExchangePorts {
  const activity = { record: () => {}, tally: () => {}, flush: async () => {} };
  return { pairings: { isPending: () => false, redeem: () => ({ kind: 'code_not_found' }) }, activity, now: Date.now };
}

/** There are no connections to use. */
export const nothingInUse = accessInUse({
  connections: { find: () => null },
  principalNow: principal => principal,
  now: Date.now,
});

/** Nothing ever changes. */
export const noChanges = { listen: () => () => {} };

/** Neither limits nor lockouts. */
export function unlimitedAdmission(): Admission {
  const never = { secondsLeft: () => 0, failed: () => {} };
  const held = makeAdmission({
    limits: () => ({ requestsPerMinute: 0, concurrentRequests: 0 }),
    elapsed: () => 0,
    uses: tokenUses(new Map(), () => 0),
    retiredBridgeTokens: retiredBridgeTokens([], Date.now, () => {}),
    isPaused: () => false,
    doubts: () => [],
  });
  return { ...held, lockout: never, exchangeLockout: never };
}

export interface ClockedAdmission extends Admission {
  readonly retiredBridgeTokens: ReturnType<typeof retiredBridgeTokens>;
  /** Moves the clock of limits and lockouts. */
  advanceSeconds(seconds: number): void;
  limits: RequestLimits;
  paused: boolean;
}

/** Everything as in the daemon, but the test moves the clock. */
export function clockedAdmission(): ClockedAdmission {
  let elapsed = 1_000_000;
  const issued = retiredBridgeTokens([], Date.now, () => {});
  const clocked = {
    limits: defaultRequestLimits,
    paused: false,
    advanceSeconds: (seconds: number): void => {
      elapsed += seconds * 1000;
    },
    retiredBridgeTokens: issued,
  };
  const admission = makeAdmission({
    limits: () => clocked.limits,
    elapsed: () => elapsed,
    uses: tokenUses(new Map(), Date.now),
    retiredBridgeTokens: issued,
    isPaused: () => clocked.paused,
    doubts: () => [],
  });
  return Object.assign(clocked, { ...admission, retiredBridgeTokens: issued });
}
