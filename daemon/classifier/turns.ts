/**
 * Whose statement is classified next: the principal that used the least classifying time lately;
 * one without any history comes after those known to use little. A principal over its share waits
 * until time has restored it, and never has two statements classified at once. Classifies and
 * starts nothing.
 */

import { FairQueue, notNow, type Queued } from '../fair-queue.ts';
import type { ClassifierLimits } from './classifier-limits.ts';

export interface WaitingJob extends Queued {
  /** A second try comes after the first tries of principals with equal use. */
  readonly isSecond: boolean;
}

export interface Turns<Job extends WaitingJob> {
  add(job: Job): void;
  /** Does nothing if it isn't waiting. */
  remove(job: Job): void;
  waiting(): readonly Job[];
  /** Takes the next job, of those that `fits`. Until `ended` its principal gets no other turn. */
  next(fits: (job: Job) => boolean): Job | null;
  ended(job: Job, milliseconds: number, isLate: boolean): void;
  tookItsShare(principal: string | null): boolean;
  /** True if one of its statements was late recently, or it used up its share. */
  tookLong(principal: string | null): boolean;
  /** Time until a waiting principal over its share may continue; null if none waits for that. */
  millisecondsToShare(): number | null;
}

interface Taken {
  /** Classifying time used and not yet restored. */
  milliseconds: number;
  at: number;
  lateAt: number;
}

/** Principals with about equal use take turns. */
const likeMilliseconds = 100;
/** So many principals are tracked before restored ones are forgotten. */
const mostKept = 200;
const nothing: Taken = { milliseconds: 0, at: 0, lateAt: Number.NEGATIVE_INFINITY };

/** @param now milliseconds of a clock that is never set. */
export function openTurns<Job extends WaitingJob>(limits: ClassifierLimits, now: () => number): Turns<Job> {
  const queue = new FairQueue<Job>();
  const busy = new Set<string | null>();
  const takenBy = new Map<string | null, Taken>();

  function taken(principal: string | null): number {
    const { milliseconds, at } = takenBy.get(principal) ?? nothing;
    return Math.max(0, milliseconds - ((now() - at) * limits.shareMillisecondsPerSecond) / 1000);
  }

  function wasLate(principal: string | null): boolean {
    return now() - (takenBy.get(principal) ?? nothing).lateAt < limits.lateMilliseconds;
  }

  function rank(job: Job): number {
    const steps = takenBy.has(job.principal) ? Math.floor(taken(job.principal) / likeMilliseconds) : 1;
    return 2 * steps + Number(job.isSecond);
  }

  return {
    add: job => queue.add(job),
    remove: job => void queue.remove(job),
    waiting: () => queue.waiting,
    next(fits) {
      const mayBegin = (job: Job): boolean =>
        !busy.has(job.principal) && fits(job) && taken(job.principal) < limits.burstMilliseconds;
      const next = queue.next(job => (mayBegin(job) ? rank(job) : notNow));
      if (next !== null) busy.add(next.principal);
      return next;
    },
    ended({ principal }, milliseconds, isLate) {
      busy.delete(principal);
      const lateAt = isLate ? now() : (takenBy.get(principal) ?? nothing).lateAt;
      takenBy.set(principal, { milliseconds: taken(principal) + milliseconds, at: now(), lateAt });
      if (takenBy.size <= mostKept) return;
      for (const known of takenBy.keys()) if (taken(known) === 0 && !wasLate(known)) takenBy.delete(known);
    },
    tookItsShare: principal => taken(principal) >= limits.burstMilliseconds,
    tookLong: principal => wasLate(principal) || taken(principal) >= limits.firstMilliseconds,
    millisecondsToShare() {
      const missing = queue.waiting
        .map(({ principal }) => taken(principal) - limits.burstMilliseconds)
        .filter(milliseconds => milliseconds >= 0);
      if (missing.length === 0) return null;
      return Math.ceil((Math.min(...missing) * 1000) / limits.shareMillisecondsPerSecond) + 1;
    },
  };
}
