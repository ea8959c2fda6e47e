/** Counts what each client saw, in a few words each. */

export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();

  count(who: string, what: string, times = 1): void {
    const counts = this.#counts.get(who) ?? new Map<string, number>();
    this.#counts.set(who, counts.set(what, (counts.get(what) ?? 0) + times));
  }

  add(other: Tally): void {
    for (const [who, counts] of other.#counts) for (const [what, times] of counts) this.count(who, what, times);
  }

  all(): { readonly who: string; readonly what: string; readonly times: number }[] {
    return [...this.#counts].flatMap(([who, counts]) => [...counts].map(([what, times]) => ({ who, what, times })));
  }

  /** `owner: 412 acknowledged, 3 unanswered` for each; the most frequent first. */
  lines(): string[] {
    return [...this.#counts].sort().map(([who, counts]) => {
      const sorted = [...counts].sort(([, one], [, two]) => two - one);
      return `${who}: ${sorted.map(([what, times]) => `${times} ${what}`).join(', ')}`;
    });
  }
}
