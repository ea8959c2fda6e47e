/**
 * The state of an open window (spec §12): the daemon's state, what waits, and how what waited has
 * ended.
 */

import { type Ask, aboutAsk, type Ended, endingOf } from './asks.ts';

/** As many as a tall window can show. */
const newsKept = 40;

export class Watching {
  /** The daemon that the window is connected to, or why there is none. */
  link:
    | { readonly kind: 'attached'; readonly server: string }
    | { readonly kind: 'lost'; readonly problem: string; readonly atMilliseconds: number } = {
    kind: 'attached',
    server: '',
  };
  /** What waits, by id, in the order in which it came. */
  readonly asks = new Map<string, Ask>();
  /** What happened, the newest first. The sentences are escaped. */
  news: readonly { readonly atMilliseconds: number; readonly sentence: string }[] = [];
  /** The ask that is being answered here, and how it ended elsewhere meanwhile. */
  #held: { readonly id: string; ending: string | null } | null = null;
  /** Ids of requests that the person left for later. */
  readonly #aside = new Set<string>();
  readonly #now: () => number;

  /** @param now milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** What is to be shown, in this order: questions first, then requests that weren't put aside. */
  inTurn(): readonly Ask[] {
    const asks = [...this.asks.values()].filter(({ id }) => !this.#aside.has(id));
    return [...asks.filter(({ waits }) => waits), ...asks.filter(({ waits }) => !waits)];
  }

  /** How many requests were put aside and still wait. */
  aside(): number {
    return [...this.asks.values()].filter(({ id }) => this.#aside.has(id)).length;
  }

  putAside(id: string): void {
    this.#aside.add(id);
  }

  /** Adds to the news. @param sentence escaped. */
  told(sentence: string): void {
    this.news = [{ atMilliseconds: this.#now(), sentence }, ...this.news].slice(0, newsKept);
  }

  /** The window is connected. @param server names the daemon. */
  attached(server: string): void {
    if (this.link.kind === 'lost') this.told('Sallyport runs again');
    this.link = { kind: 'attached', server };
  }

  /**
   * The daemon is gone, and with it its questions, since each is a call that waits there. Requests
   * come back with the daemon.
   */
  lost(problem: string): void {
    const { link } = this;
    this.link = { kind: 'lost', problem, atMilliseconds: link.kind === 'lost' ? link.atMilliseconds : this.#now() };
    if (link.kind === 'attached') this.told('Sallyport stopped');
    for (const ask of this.asks.values()) if (ask.waits) this.told(`Gone with it: ${aboutAsk(ask)}`);
    this.asks.clear();
  }

  /** Adds an ask or changes it. @returns false if it was there. */
  put(ask: Ask): boolean {
    if (this.#held?.id === ask.id) this.#held.ending = null;
    const isNew = !this.asks.has(ask.id);
    this.asks.set(ask.id, ask);
    return isNew;
  }

  /** An ask has ended. It becomes news once, however often that is told. */
  ended({ id, because }: Ended): void {
    const ask = this.asks.get(id);
    if (ask === undefined) return;
    const isAnswered = because === 'yes' || because === 'no';
    this.#remove(ask, `${endingOf(ask, because)}${isAnswered ? ' elsewhere' : ''}`);
  }

  /** Keeps an ask that is being answered here, whatever is told of it, until `release`. */
  hold(id: string): void {
    this.#held = { id, ending: null };
  }

  /**
   * Ends `hold`.
   * @param ending how the ask was answered here; null if it wasn't.
   * @returns true if the ask has ended.
   */
  release(ending: string | null): boolean {
    const held = this.#held;
    this.#held = null;
    const ask = held === null ? undefined : this.asks.get(held.id);
    const how = ending ?? held?.ending ?? null;
    if (ask !== undefined && how !== null) this.#remove(ask, how);
    return how !== null;
  }

  #remove(ask: Ask, ending: string): void {
    if (this.#held?.id === ask.id) {
      this.#held.ending = ending;
      return;
    }
    this.asks.delete(ask.id);
    this.#aside.delete(ask.id);
    this.told(`${ending}: ${aboutAsk(ask)}`);
  }
}
