/**
 * Counts the sessions of one connection, of all its pools and uses, and learns from refused dials
 * how many its server allows. Dials none and closes none itself: a pool says which are idle.
 */

import type { Answer, DatabaseFailure } from './engine.ts';
import { PoolSignal } from './pool-signal.ts';

/** A limit may be raised, or others may leave: afterwards any number is tried again. */
const rememberedMilliseconds = 3 * 60_000;
/** A server takes a moment to notice that a session has ended. */
const endingMilliseconds = 3_000;
/** Longer than most dials take. */
const silentMilliseconds = 1_000;
const firstPauseMilliseconds = 10;
const longestPauseMilliseconds = 250;

export class SessionRoom {
  /** Told when a session came back or ended. */
  readonly changed = new PoolSignal();
  readonly #now: () => number;
  readonly #idle: (() => boolean)[] = [];
  /** Calls that wait for a session that comes back, or their own dial. */
  racing = 0;
  #open = 0;
  #dialling = 0;
  /** How often one was opened. */
  #openings = 0;
  /** When the last ones ended. */
  #ended: number[] = [];
  #learnt: { readonly most: number; readonly until: number } | null = null;

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many the server allows as far as known; Infinity while nothing is. */
  get most(): number {
    if (this.#learnt !== null && this.#now() >= this.#learnt.until) this.#learnt = null;
    return this.#learnt?.most ?? Number.POSITIVE_INFINITY;
  }

  /** How long that limit is still remembered; 0 if there is none. */
  get limitedMilliseconds(): number {
    return Math.max(0, (this.#learnt?.until ?? 0) - this.#now());
  }

  /** True if the server has refused one lately: what can be done without is not dialled. */
  get isLimited(): boolean {
    return this.most < Number.POSITIVE_INFINITY;
  }

  /** How many calls wait for a session that comes back, and have no dial under way. */
  get waiting(): number {
    return this.changed.waiting - this.racing;
  }

  /** True if no session of ours is open, dialled or only just ended: so others have them all. */
  get isEmpty(): boolean {
    return this.#open + this.#dialling + this.#endedLately() === 0;
  }

  /** @returns whether a session of ours has been open since, so a dial may be refused for it. */
  watchOpen(): () => boolean {
    const before = this.#openings - this.#open - this.#endedLately();
    return () => this.#openings > before;
  }

  /** @param close closes one idle session, or says that there is none. */
  addIdle(close: () => boolean): void {
    this.#idle.push(close);
  }

  /**
   * True if one more may be dialled, which is then to be told by `dials` at once. Closes an idle
   * one if that is what it takes.
   */
  makesRoom(): boolean {
    while (this.#open + this.#dialling >= this.most) if (!this.closesIdle()) return false;
    return true;
  }

  /** Closes one idle session of any pool, if there is one. */
  closesIdle(): boolean {
    return this.#idle.some(close => close());
  }

  dials(): void {
    this.#dialling += 1;
  }

  opened(): void {
    this.#dialling -= 1;
    this.#openings += 1;
    this.#open += 1;
  }

  /** An open one has ended. */
  ended(): void {
    this.#open -= 1;
    this.#endedLately();
    if (this.#ended.length < mostCounted) this.#ended.push(this.#now());
    this.changed.tell();
  }

  /**
   * The dial failed.
   * @param silenceCounts false if it was given up sooner than a slow server answers.
   */
  failed(failure: DatabaseFailure, silenceCounts = true): void {
    this.#dialling -= 1;
    // Dials under way count as sessions: each of them lowers the number if it fails, too.
    const others = this.#open + this.#dialling + this.#endedLately();
    const most = Math.min(this.most, others);
    const refuses = isFull(failure) || (silenceCounts && mayBeFull(failure));
    if (refuses) this.#learnt = others === 0 ? null : { most, until: this.#now() + rememberedMilliseconds };
    this.changed.tell();
  }

  #endedLately(): number {
    const since = this.#now() - endingMilliseconds;
    this.#ended = this.#ended.filter(at => at > since);
    return this.#ended.length;
  }
}

/** More than any server's limit that is worth learning. */
const mostCounted = 64;

/**
 * True if the dial may have failed for the number of sessions: the server says so, or it closed the
 * line or kept silent instead of an answer, as some poolers do.
 */
export function mayBeFull(failure: DatabaseFailure): boolean {
  return isFull(failure) || (failure.kind === 'not_connected' && failure.isUnanswered === true);
}

/** True if the server itself says that it takes no further session. */
export function isFull(answer: Answer<unknown>): boolean {
  return answer.kind === 'busy' && answer.why.who === 'server';
}

export function afterWait(failure: DatabaseFailure, seconds: number): DatabaseFailure {
  if (failure.kind !== 'busy' || failure.why.who !== 'server') return failure;
  return { kind: 'busy', why: { ...failure.why, seconds } };
}

export interface Refused {
  readonly failure: DatabaseFailure;
  /** Sessions of ours were open when it was dialled: once they have ended, it is tried again. */
  readonly hadOpen: boolean;
}

/** How long to wait before the next dial, after so many refused ones. */
export function pauseAfter(refusals: number): number {
  return Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** refusals);
}

/**
 * Waits for a dial, and takes an idle session if one comes back first. Some poolers keep a dial
 * silent until another session has ended: if it stays silent, idle ones of other uses are closed.
 *
 * @param take an idle session, if there is one.
 * @param late gets the dial if a session came back before.
 */
export async function dialledOrBack<Dialled, Session>(
  dialling: Promise<Dialled>,
  room: SessionRoom,
  take: () => Session | null,
  late: (dialling: Promise<Dialled>) => void,
): Promise<Dialled | Session> {
  const over = new AbortController();
  const end = (): void => over.abort();
  dialling.then(end, end);
  const closing = setInterval(() => room.closesIdle(), silentMilliseconds);
  room.racing += 1;
  try {
    while (!over.signal.aborted) {
      await room.changed.next(over.signal);
      const back = over.signal.aborted ? null : take();
      if (back === null) continue;
      end();
      late(dialling);
      return back;
    }
    return await dialling;
  } finally {
    clearInterval(closing);
    room.racing -= 1;
  }
}
