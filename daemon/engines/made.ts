/**
 * What definitions of ours made within the hour, each with a mark by which the database tells it
 * from what another made under the same name. Nothing else proves that something is new: statistics
 * are reset, an emptied table has no size.
 */

const hourMilliseconds = 60 * 60_000;
/** How many are remembered: if there are more, the oldest counts as old. */
const most = 5_000;

export class Made {
  readonly #made = new Map<string, { readonly mark: string; readonly at: number }>();
  readonly #now: () => number;

  /** @param now monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(name: string, mark: string): void {
    this.#made.delete(name);
    this.#made.set(name, { mark, at: this.#now() });
    const [oldest] = this.#made.keys();
    if (this.#made.size > most && oldest !== undefined) this.#made.delete(oldest);
  }

  has(name: string, mark: string): boolean {
    const made = this.#made.get(name);
    return made !== undefined && made.mark === mark && this.#now() - made.at < hourMilliseconds;
  }

  hasNamed(name: string): boolean {
    const made = this.#made.get(name);
    return made !== undefined && this.has(name, made.mark);
  }

  /** Keeps since when it is there. */
  marked(name: string, mark: string): void {
    const made = this.#made.get(name);
    if (made !== undefined) this.#made.set(name, { ...made, mark });
  }

  clear(): void {
    this.#made.clear();
  }
}
