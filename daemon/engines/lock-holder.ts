/**
 * Finds out, shortly before a statement's time is over, whether it waits for a lock, and words who
 * holds it as the server tells it. Names come from other programs.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseFailure } from './request.ts';
import { beginning } from './shorten.ts';

export interface LockSeen {
  readonly holder: string | null;
}

/**
 * Asks on another session who holds the lock. Null if the statement waits for none, or if the
 * server can't be asked.
 */
export type AskLock = (signal: AbortSignal) => Promise<LockSeen | null>;

export interface LockQuestion {
  /** What was seen halfway and near the end. */
  seen(): Promise<readonly [halfway: LockSeen | null, nearEnd: LockSeen | null]>;
  end(): void;
}

/**
 * The parts of the time for a lock after which it looks. The first look also brings the session up
 * that the second one needs.
 */
const shares = [0.5, 0.8] as const;
/** The answer to the call doesn't wait longer for one. */
const lookMilliseconds = 1_000;

/** @param ask null if there is no other session for it. */
export function askingForLock(ask: AskLock | null, lockMilliseconds: number): LockQuestion {
  let ended: AbortController | null = null;
  const looks: Promise<LockSeen | null>[] = [];
  const look = (): void => {
    ended ??= new AbortController();
    if (ask !== null) looks.push(Promise.race([ask(ended.signal), wait(lookMilliseconds, null, { ref: false })]));
  };
  const asking = shares.map(share => setTimeout(look, lockMilliseconds * share));
  return {
    async seen() {
      const [halfway = null, nearEnd = null] = await Promise.all(looks);
      return [halfway, nearEnd];
    },
    end() {
      for (const timer of asking) clearTimeout(timer);
      ended?.abort();
    },
  };
}

/** @returns the outcome, or that the statement waited for a lock, and whose. */
export async function tellingLock<T extends { readonly kind: string }>(
  outcome: T | DatabaseFailure,
  question: LockQuestion,
): Promise<T | DatabaseFailure> {
  const failure = outcome as DatabaseFailure;
  if (failure.kind !== 'locked' && failure.kind !== 'timeout') return outcome;
  const [halfway, nearEnd] = await question.seen();
  // One that waited only earlier ran on.
  const lock = failure.kind === 'locked' ? (nearEnd ?? halfway) : nearEnd;
  return lock === null ? outcome : { ...failure, kind: 'locked', holder: lock.holder };
}

interface Holder {
  readonly application?: string | null;
  readonly user?: string | null;
  /** When its transaction began, in UTC. */
  readonly since?: string | null;
  readonly isIdle?: boolean | null;
}

/** @returns a clause; null if the server says nothing of it. */
export function heldBy({ application, user, since, isIdle }: Holder): string | null {
  if (!application && !user) return null;
  const who = [application ? shown(application) : 'a session', user ? `of the user ${shown(user)}` : ''];
  const when = since ? `, in a transaction since ${since} UTC` : '';
  return `${who.filter(Boolean).join(' ')}${when}${isIdle === true ? ' that runs no statement now' : ''}`;
}

const shown = (name: string): string => JSON.stringify(beginning(name, 64));
