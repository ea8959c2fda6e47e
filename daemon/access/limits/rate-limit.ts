/**
 * How many requests a principal may make in a minute (spec §13), counted exactly over a sliding
 * window. Refused requests don't count: a client that waits as long as told gets through.
 */

import type { Principal } from '../tokens/token.ts';
import { hasPart, type Lineage, unknownLineage } from './crowd.ts';
import { bridgesTogether, type RequestLimits } from './request-limits.ts';

export type RateSubject = Pick<Principal, 'id' | 'isBridge' | 'lineage'>;

export interface RateLimit {
  /**
   * Counts one request.
   * @returns 0, or the whole seconds until one fits.
   */
  take(principal: RateSubject): number;
}

const windowMilliseconds = 60_000;

/** @param elapsed milliseconds of a clock that is never set. */
export function rateLimit(limits: () => RequestLimits, elapsed: () => number): RateLimit {
  /** By principal, oldest first. */
  const taken = new Map<string, number[]>();
  const takenByBridges: number[] = [];
  /** Where each of those bridges stands. */
  const lineages: Lineage[] = [];
  let sweptAt = elapsed();

  return {
    take(principal) {
      const most = limits().requestsPerMinute;
      if (most === 0) return 0;
      const now = elapsed();
      sweep(now);
      const own = taken.get(principal.id) ?? [];
      const waits = [wait(own, most, now)];
      const { lineage = unknownLineage } = principal;
      if (principal.isBridge) waits.push(waitAsBridge(lineage, most * bridgesTogether.requests, now));
      const longest = Math.max(...waits);
      if (longest > 0) return Math.ceil(longest / 1000);
      taken.set(principal.id, own);
      own.push(now);
      if (!principal.isBridge) return 0;
      takenByBridges.push(now);
      lineages.push(lineage);
      return 0;
    },
  };

  function waitAsBridge(lineage: Lineage, together: number, now: number): number {
    const longest = wait(takenByBridges, together, now);
    lineages.splice(0, lineages.length - takenByBridges.length);
    return longest > 0 && hasPart(lineages, lineage, together) ? 0 : longest;
  }

  /** Once per window, so past bridges and tokens leave nothing behind. */
  function sweep(now: number): void {
    if (now - sweptAt < windowMilliseconds) return;
    sweptAt = now;
    for (const [id, times] of taken) if (now - (times.at(-1) ?? 0) >= windowMilliseconds) taken.delete(id);
  }
}

/** Milliseconds until fewer than `most` lie in the window; forgets those outside it. */
function wait(times: number[], most: number, now: number): number {
  let gone = 0;
  while (gone < times.length && now - (times[gone] ?? 0) >= windowMilliseconds) gone++;
  times.splice(0, gone);
  if (times.length < most) return 0;
  // After a limit was lowered, more than `most` may be counted.
  const decisive = times[times.length - most] ?? now;
  return decisive + windowMilliseconds - now;
}
