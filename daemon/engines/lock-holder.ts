/**
 * Finds out, shortly before a statement's time is over, whether it waits for a lock, and words who
 * holds it as the server tells it. Names come from other programs.
 */

import type { DatabaseFailure } from './request.ts';
import { beginning } from './shorten.ts';

export interface LockSeen {
  readonly holder: string | null;
}

/** On another session; null if the statement waits for none, or if the server can't be asked. */
export type AskLock = (signal: AbortSignal) => Promise<LockSeen | null>;

export interface LockQuestion {
  /** Null if nobody was asked. */
  seen(): Promise<LockSeen | null> | null;
  end(): void;
}

/** Asked only of a statement that runs nearly as long as it may wait for a lock. */
const share = 0.8;

/** @param ask null if there is no other session for it. */
export function askingForLock(ask: AskLock | null, lockMilliseconds: number): LockQuestion {
  let ended: AbortController | null = null;
  let seen: Promise<LockSeen | null> | null = null;
  const asking = setTimeout(() => {
    ended = new AbortController();
    seen = ask?.(ended.signal) ?? null;
  }, lockMilliseconds * share);
  return {
    seen: () => seen,
    end() {
      clearTimeout(asking);
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
  const lock = await question.seen();
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
