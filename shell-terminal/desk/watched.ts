/**
 * The state of an open window (spec §12): the daemon's state, what waits, how others ended.
 */

import { type Ask, aboutAsk, type Ended, endingOf } from './asks.ts';

/** As many as a tall window can show. */
const newsKept = 40;

/** @param now in milliseconds. */
export class Watching {
  /** The daemon it answers for, or why there is none. */
  link:
    | { readonly kind: 'attached'; readonly server: string }
    | { readonly kind: 'lost'; readonly problem: string; readonly atMilliseconds: number } = {
    kind: 'attached',
    server: '',
  };
  /** By id. The oldest question is shown; without one the oldest request that wasn't put aside. */
  readonly asks = new Map<string, Ask>();
  /** Newest first; escaped. */
  news: readonly { readonly atMilliseconds: number; readonly sentence: string }[] = [];
  /** The one that is being answered here, and how it ended elsewhere meanwhile. */
  #held: { readonly id: string; ending: string | null } | null = null;
  /** Ids of requests that the person left for later. */
  readonly #aside = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** To be shown, in this order. */
  inTurn(): readonly Ask[] {
    const asks = [...this.asks.values()].filter(({ id }) => !this.#aside.has(id));
    return [...asks.filter(({ waits }) => waits), ...asks.filter(({ waits }) => !waits)];
  }

  aside(): number {
    return [...this.asks.values()].filter(({ id }) => this.#aside.has(id)).length;
  }

  putAside(id: string): void {
    this.#aside.add(id);
  }

  /** @param sentence escaped. */
  told(sentence: string): void {
    this.news = [{ atMilliseconds: this.#now(), sentence }, ...this.news].slice(0, newsKept);
  }

  /** @param server the daemon it answers for. */
  attached(server: string): void {
    if (this.link.kind === 'lost') this.told('Sallyport runs again');
    this.link = { kind: 'attached', server };
  }

  /** Questions end with the daemon, since each was a request to it; requests come back with it. */
  lost(problem: string): void {
    const { link } = this;
    this.link = { kind: 'lost', problem, atMilliseconds: link.kind === 'lost' ? link.atMilliseconds : this.#now() };
    if (link.kind === 'attached') this.told('Sallyport stopped');
    for (const ask of this.asks.values()) if (ask.waits) this.told(`Gone with it: ${aboutAsk(ask)}`);
    this.asks.clear();
  }

  /** @returns false if it was there, and has only changed. */
  put(ask: Ask): boolean {
    if (this.#held?.id === ask.id) this.#held.ending = null;
    const isNew = !this.asks.has(ask.id);
    this.asks.set(ask.id, ask);
    return isNew;
  }

  /** Reports each once. */
  ended({ id, because }: Ended): void {
    const ask = this.asks.get(id);
    if (ask === undefined) return;
    const isAnswered = because === 'yes' || because === 'no';
    this.#remove(ask, `${endingOf(ask, because)}${isAnswered ? ' elsewhere' : ''}`);
  }

  /** It stays, whatever is told of it, until it is released. */
  hold(id: string): void {
    this.#held = { id, ending: null };
  }

  /** @param ending null if it wasn't answered here. @returns whether it is gone. */
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
