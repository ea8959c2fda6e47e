/**
 * How many requests of a principal are worked on at once, and in what turn those beyond that number
 * come (spec §13). Subscriptions are counted apart: they live for hours and work for moments, and
 * eight of them must not leave a client unable to ask anything.
 */

import type { RateSubject } from './rate-limit.ts';
import { bridgesTogether, type RequestLimits, waitingRequests } from './request-limits.ts';

type SlotKind = 'work' | 'subscription';

export interface Slot {
  /** Idempotent. */
  release(): void;
}

/**
 * Held by a request that waits for a slot. Whoever holds one sees to it that the wait ends: this
 * has no clock.
 */
export interface Place {
  /**
   * False for a place that is there for messages alone, which need no slot. Others may have left
   * meanwhile, so it can become true.
   */
  mayWait(): boolean;
  /** Idempotent; from then on no slot is given. */
  leave(): void;
}

export interface Concurrency {
  /** Null where the principal, or all bridges together, have no slot left. */
  begin(principal: RateSubject, kind: SlotKind): Slot | null;
  /**
   * For a slot of `work`: first come, first served within a principal, in turn among the bridges.
   * @param given called once, unless the place is left before.
   * @returns null where as many wait as may.
   */
  wait(principal: RateSubject, given: (slot: Slot) => void): Place | null;
  /**
   * One of the principal's requests takes no slot while it waits for a person (spec §12). It goes
   * on afterwards even if others have taken its place meanwhile: an answer that was given must not
   * be lost to a limit.
   */
  whileWaiting<Result>(principal: RateSubject, wait: () => Promise<Result>): Promise<Result>;
}

interface Count {
  work: number;
  waiting: number;
  subscription: number;
}

interface Queue {
  readonly principal: RateSubject;
  /** First come first. */
  readonly given: ((slot: Slot) => void)[];
}

export function concurrency(limits: () => RequestLimits): Concurrency {
  const counts = new Map<string, Count>();
  const bridges: Count = none();
  /** By principal; whose turn comes next first. */
  const queues = new Map<string, Queue>();

  /**
   * A request that ended while it waited is counted out twice for a moment, hence not below zero.
   */
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

  function hold(principal: RateSubject, kind: SlotKind): Slot {
    change(principal, kind, 1);
    let held = true;
    return {
      release() {
        if (!held) return;
        held = false;
        change(principal, kind, -1);
        giveOut();
      },
    };
  }

  /** A principal that was given a slot goes to the end of the turn. */
  function giveOut(): void {
    for (const [id, queue] of queues) {
      if (!hasRoom(queue.principal, 'work')) continue;
      const given = queue.given.shift();
      queues.delete(id);
      if (queue.given.length > 0) queues.set(id, queue);
      given?.(hold(queue.principal, 'work'));
    }
  }

  const placesOfBridges = (): number =>
    [...queues.values()].reduce((sum, { principal, given }) => sum + (principal.isBridge ? given.length : 0), 0);

  return {
    begin(principal, kind) {
      // Where the limit was raised meanwhile, those who wait come first.
      giveOut();
      return hasRoom(principal, kind) ? hold(principal, kind) : null;
    },
    wait(principal, given) {
      const queue = queues.get(principal.id) ?? { principal, given: [] };
      const most = waitingRequests.most + waitingRequests.messages;
      if (queue.given.length >= most) return null;
      if (principal.isBridge && placesOfBridges() >= most * bridgesTogether.concurrent) return null;
      // Of its own, so that the same callback may wait twice.
      const place = (slot: Slot): void => given(slot);
      queue.given.push(place);
      queues.set(principal.id, queue);
      return {
        mayWait: () => queue.given.indexOf(place) < waitingRequests.most,
        leave() {
          const index = queue.given.indexOf(place);
          if (index === -1) return;
          queue.given.splice(index, 1);
          if (queue.given.length === 0) queues.delete(principal.id);
        },
      };
    },
    async whileWaiting(principal, wait) {
      change(principal, 'waiting', 1);
      giveOut();
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
