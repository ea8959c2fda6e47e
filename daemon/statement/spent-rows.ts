/** Rows of an account by place and minute, in memory. Decides nothing. */

/** Rows of one table that were changed in one minute of the account's time. */
export interface SpentRows {
  readonly account: string;
  /** A hash of connection and table: names may be long, and must not outlive the history. */
  readonly place: string;
  readonly minute: number;
  /** Negative for rows that are given back. */
  readonly rows: number;
}

/**
 * Rows by minute; the rows of a minute leave the account together, once the last is an hour old.
 */
type Minutes = Map<number, number>;

export class SpentByPlace {
  /** By account, then by place. */
  readonly #accounts = new Map<string, Map<string, Minutes>>();

  add({ account, place, minute, rows }: SpentRows): void {
    const places = this.#accounts.get(account) ?? new Map<string, Minutes>();
    const minutes: Minutes = places.get(place) ?? new Map();
    this.#accounts.set(account, places.set(place, minutes.set(minute, (minutes.get(minute) ?? 0) + rows)));
  }

  rowsOf(account: string, place: string): number {
    let rows = 0;
    for (const spent of this.#accounts.get(account)?.get(place)?.values() ?? []) rows += spent;
    return rows;
  }

  /** How many places the account has now, and with those. */
  placesWith(account: string, further: readonly string[]): { readonly now: number; readonly with: number } {
    const places = this.#accounts.get(account);
    const now = places?.size ?? 0;
    return { now, with: now + further.filter(place => places?.has(place) !== true).length };
  }

  forgetBefore(oldest: number): void {
    for (const [account, places] of this.#accounts) {
      for (const [place, minutes] of places) {
        for (const at of minutes.keys()) if (at < oldest) minutes.delete(at);
        if (minutes.size === 0) places.delete(place);
      }
      if (places.size === 0) this.#accounts.delete(account);
    }
  }
}
