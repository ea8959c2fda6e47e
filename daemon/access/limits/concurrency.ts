/**
 * How many requests of a principal run at once, and the order of those that wait (spec §13).
 * Subscriptions count separately: they last for hours and work for moments, and eight of them must
 * not stop a client from asking anything.
 */

import type { RateSubject } from './rate-limit.ts';
import { bridgesTogether, type RequestLimits, waitingRequests } from './request-limits.ts';

type SlotKind = 'work' | 'subscription';

export interface Slot {
  /** Idempotent. */
  release(): void;
}

/**
 * Held by a request that waits for a slot. The holder must end the wait: there is no clock here.
 */
export interface Place {
  /**
   * False for a place that is only for messages, which need no slot. It can become true when others
   * leave.
   */
  mayWait(): boolean;
  /** Idempotent; no slot is given afterwards. */
  leave(): void;
}

export interface Concurrency {
  /** @returns null if the principal, or all bridges together, have no slot left. */
  begin(principal: RateSubject, kind: SlotKind): Slot | null;
  /**
   * Waits for a slot of `work`: first come, first served within a principal, round robin among the
   * bridges.
   * @param given called once, unless the place is left before.
   * @returns null if too many wait already.
   */
  wait(principal: RateSubject, given: (slot: Slot) => void): Place | null;
  /**
   * Frees the principal's slot while its request waits for a person (spec §12). It continues
   * afterwards even if others have taken the slot: a limit must not lose an answer.
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
  /** In order of arrival. */
  readonly given: ((slot: Slot) => void)[];
}

export function concurrency(limits: () => RequestLimits): Concurrency {
  const counts = new Map<string, Count>();
  const bridges: Count = none();
  /** By principal; the first entry has the next turn. */
  const queues = new Map<string, Queue>();

  /** A request that ended while waiting is briefly subtracted twice, hence the zero. */
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

  /** A principal that got a slot goes to the end. */
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
      // If the limit was raised meanwhile, waiting requests come first.
      giveOut();
      return hasRoom(principal, kind) ? hold(principal, kind) : null;
    },
    wait(principal, given) {
      const queue = queues.get(principal.id) ?? { principal, given: [] };
      const most = waitingRequests.most + waitingRequests.messages;
      if (queue.given.length >= most) return null;
      if (principal.isBridge && placesOfBridges() >= most * bridgesTogether.concurrent) return null;
      // A new function, so the same callback may wait twice.
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
