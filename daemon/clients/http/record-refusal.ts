/**
 * Records the gate's refusals in the activity log (spec §14). Failures, which a lockout stops at
 * five, get a row each. Refusals that cost the sender nothing (no bearer, a revoked or expired
 * token, a foreign Host, a rate) share one row a minute, a lockout one every few seconds.
 */

import type { ActivityEntry, ActivityLog } from '../../activity.ts';
import type { Passage } from './gate.ts';
import { httpLimits } from './http-limits.ts';
import type { HttpRefusal } from './refuse.ts';

interface RefusalRecordPorts {
  readonly activity: Pick<ActivityLog, 'record' | 'tally'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

const tallyMilliseconds = 60_000;

export function recordRefusal(
  { activity, now }: RefusalRecordPorts,
  { principal, refusedToken }: Pick<Passage, 'principal' | 'refusedToken'>,
  refusal: HttpRefusal,
): void {
  const denied = (reason: string): ActivityEntry => ({
    category: 'auth',
    action: 'authenticate',
    outcome: 'denied',
    ...(refusedToken !== null && { principal: refusedToken.id, tokenName: refusedToken.name }),
    reason,
  });
  const counted = (entry: ActivityEntry, whom = '', milliseconds = tallyMilliseconds): void =>
    activity.tally(`gate ${entry.reason} ${whom}`, now() + milliseconds, entry);

  switch (refusal.kind) {
    case 'unauthenticated':
      if (refusal.reason === 'missing' || refusal.reason === 'dead_bridge_token') {
        counted(denied(reasons[refusal.reason]));
      } else if (refusal.reason === 'revoked') {
        counted(denied(reasons.revoked), refusedToken?.id);
      } else {
        activity.record(denied(reasons[refusal.reason]));
      }
      return;
    case 'token_expired':
      counted(denied('the token has expired'), refusedToken?.id);
      return;
    case 'clock_behind':
      counted(denied("the clock shows a time before the token's creation"), refusedToken?.id);
      return;
    case 'limited':
      if (refusal.limit === 'lockout') {
        counted(denied('locked out'), '', httpLimits.lockoutRowSeconds * 1000);
        return;
      }
      counted(
        {
          category: 'access',
          action: 'request',
          outcome: 'rate_limited',
          // One count for all bridges: each names itself, so new names would be new rows.
          principal: principal?.isBridge ? null : (principal?.id ?? null),
          tokenName: principal?.tokenName ?? null,
          reason: refusal.limit === 'rate' ? 'too many requests in a minute' : 'too many requests at once',
        },
        principal?.tokenId,
      );
      return;
    case 'forbidden_host':
    case 'forbidden_origin': {
      const reason = refusal.kind === 'forbidden_host' ? 'a foreign Host header' : 'a request from a web page';
      counted({ category: 'access', action: 'request', outcome: 'denied', reason });
      return;
    }
    case 'internal':
      activity.record({
        category: 'access',
        action: 'request',
        outcome: 'error',
        reason: 'internal_failure',
        principal: principal?.id ?? null,
        tokenName: principal?.tokenName ?? null,
        requestId: refusal.requestId,
      });
      return;
    default:
      return;
  }
}

const reasons = {
  missing: 'no bearer token',
  malformed: 'a malformed bearer token',
  unknown: 'an unknown token',
  revoked: 'a revoked token',
  dead_bridge_token: "a bridge's token from before",
} as const;
