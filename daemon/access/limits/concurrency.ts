/**
 * How many requests of a principal run at once, and the order of those that wait (spec §13).
 * Subscriptions count separately: they last for hours and work for moments, and eight of them must
 * not stop a client from asking anything.
 */

import { FairQueue, notNow, type Queued } from '../../fair-queue.ts';
import { hasPart, type Lineage, unknownLineage } from './crowd.ts';
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
export interface QueuePlace {
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
  wait(principal: RateSubject, given: (slot: Slot) => void): QueuePlace | null;
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
  /** The processes that a bridge was started by; null for other clients. */
  readonly lineage: Lineage | null;
}

interface Waiting extends Queued {
  readonly subject: RateSubject;
  readonly given: (slot: Slot) => void;
}

export function concurrency(limits: () => RequestLimits): Concurrency {
  const counts = new Map<string, Count>();
  const queue = new FairQueue<Waiting>();

  /** A request that ended while waiting is briefly subtracted twice, hence the zero. */
  const inUse = (count: Count, kind: SlotKind): number =>
    kind === 'work' ? Math.max(0, count.work - count.waiting) : count.subscription;

  function change(principal: RateSubject, what: Exclude<keyof Count, 'lineage'>, by: 1 | -1): void {
    const own = counts.get(principal.id) ?? none(principal);
    own[what] += by;
    if (own.work === 0 && own.waiting === 0 && own.subscription === 0) counts.delete(principal.id);
    else counts.set(principal.id, own);
  }

  function hasRoom(principal: RateSubject, kind: SlotKind): boolean {
    const most = limits().concurrentRequests;
    if (most === 0) return true;
    if (inUse(counts.get(principal.id) ?? none(principal), kind) >= most) return false;
    if (!principal.isBridge) return true;
    const used = [...counts.values()].flatMap(count =>
      count.lineage === null ? [] : Array<Lineage>(inUse(count, kind)).fill(count.lineage),
    );
    return hasPart(used, lineageOf(principal), most * bridgesTogether.concurrent);
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

  function giveOut(): void {
    const rankOf = ({ subject }: Waiting): number => (hasRoom(subject, 'work') ? 0 : notNow);
    for (let next = queue.next(rankOf); next !== null; next = queue.next(rankOf))
      next.given(hold(next.subject, 'work'));
  }

  return {
    begin(principal, kind) {
      // If the limit was raised meanwhile, waiting requests come first.
      giveOut();
      return hasRoom(principal, kind) ? hold(principal, kind) : null;
    },
    wait(subject, given) {
      const most = waitingRequests.most + waitingRequests.messages;
      const own = (): readonly Waiting[] => queue.waiting.filter(({ principal }) => principal === subject.id);
      const ofBridges = queue.waiting.filter(other => other.subject.isBridge).map(other => lineageOf(other.subject));
      if (own().length >= most) return null;
      if (subject.isBridge && !hasPart(ofBridges, lineageOf(subject), most * bridgesTogether.concurrent)) return null;
      const place: Waiting = { principal: subject.id, subject, given };
      queue.add(place);
      return {
        mayWait: () => own().indexOf(place) < waitingRequests.most,
        leave: () => void queue.remove(place),
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

function none(principal: RateSubject): Count {
  return { work: 0, waiting: 0, subscription: 0, lineage: principal.isBridge ? lineageOf(principal) : null };
}

function lineageOf({ lineage = unknownLineage }: RateSubject): Lineage {
  return lineage;
}
