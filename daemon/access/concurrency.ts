/**
 * How many requests of a principal are worked on at once (spec §13). Subscriptions are counted apart: they live for hours and
 * work for moments, and eight of them must not leave a client unable to ask anything.
 */

import type { RateSubject } from './rate-limit.ts';
import { bridgesTogether, type RequestLimits } from './request-limits.ts';

export type SlotKind = 'work' | 'subscription';

export interface Slot {
  /** Idempotent. */
  release(): void;
}

export interface Concurrency {
  /** Null where the principal, or all bridges together, have no slot left. */
  begin(principal: RateSubject, kind: SlotKind): Slot | null;
  /**
   * One of the principal's requests takes no slot while it waits for a person (spec §12). It goes on afterwards even if others
   * have taken its place meanwhile: an answer that was given must not be lost to a limit.
   */
  whileWaiting<Result>(principal: RateSubject, wait: () => Promise<Result>): Promise<Result>;
}

interface Count {
  work: number;
  waiting: number;
  subscription: number;
}

export function concurrency(limits: () => RequestLimits): Concurrency {
  const counts = new Map<string, Count>();
  const bridges: Count = none();

  /** A request that ended while it waited is counted out twice for a moment, hence not below zero. */
  const inUse = (count: Count, kind: SlotKind): number =>
    kind === 'work' ? Math.max(0, count.work - count.waiting) : count.subscription;

  function change(principal: RateSubject, what: keyof Count, by: 1 | -1): void {
    const own = counts.get(principal.id) ?? none();
    own[what] += by;
    if (principal.isBridge) bridges[what] += by;
    if (own.work === 0 && own.waiting === 0 && own.subscription === 0) counts.delete(principal.id);
    else counts.set(principal.id, own);
  }

  function hasRoom(principal: RateSubject, kind: SlotKind): boolean {
    const most = limits().concurrentRequests;
    if (most === 0) return true;
    if (inUse(counts.get(principal.id) ?? none(), kind) >= most) return false;
    return !principal.isBridge || inUse(bridges, kind) < most * bridgesTogether.concurrent;
  }

  return {
    begin(principal, kind) {
      if (!hasRoom(principal, kind)) return null;
      change(principal, kind, 1);
      let held = true;
      return {
        release() {
          if (held) change(principal, kind, -1);
          held = false;
        },
      };
    },
    async whileWaiting(principal, wait) {
      change(principal, 'waiting', 1);
      try {
        return await wait();
      } finally {
        change(principal, 'waiting', -1);
      }
    },
  };
}

function none(): Count {
  return { work: 0, waiting: 0, subscription: 0 };
}
