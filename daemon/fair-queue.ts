/**
 * The order in which work of several principals gets its turn. Starts nothing, has no clock and
 * counts nothing: who may begin, and who has had how much, its user says by a rank.
 */

export interface Queued {
  /** Whose it is: Principal.id; null for the owner, or Sallyport itself. */
  readonly principal: string | null;
}

/**
 * Among equal ranks the principals take turns, and one's own work stays in its order: a principal
 * that sends much, or one that comes ever again under a new name, holds up nobody.
 *
 * @example
 *   const queue = new FairQueue<Job>();
 *   queue.add({ principal: 'a', run });
 *   // Those that hold the fewest first; nobody holds more than two.
 *   const job = queue.next(({ principal }) => (held(principal) < 2 ? held(principal) : notNow));
 */
export class FairQueue<Work extends Queued> {
  /**
   * Among equal ranks the first has the turn: its principal came, or had a turn, the longest ago.
   */
  #waiting: readonly Work[] = [];

  get waiting(): readonly Work[] {
    return this.#waiting;
  }

  add(work: Work): void {
    this.#waiting = [...this.#waiting, work];
  }

  /** @returns whether it waited. */
  remove(work: Work): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter(other => other !== work);
    return this.#waiting.length < before;
  }

  /**
   * Takes out what has the next turn.
   * @param rankOf the least goes first; {@link notNow} for what may not begin yet.
   */
  next(rankOf: (work: Work) => number): Work | null {
    let next: Work | null = null;
    let least = notNow;
    for (const work of this.#waiting) {
      const rank = rankOf(work);
      if (rank < least) [next, least] = [work, rank];
    }
    if (next === null) return null;
    const { principal } = next;
    this.remove(next);
    const isOwn = (work: Work): boolean => work.principal === principal;
    this.#waiting = [...this.#waiting.filter(work => !isOwn(work)), ...this.#waiting.filter(isOwn)];
    return next;
  }
}

export const notNow = Number.POSITIVE_INFINITY;
