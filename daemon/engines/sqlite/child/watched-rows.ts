/**
 * Which rows of one table a statement has touched, reported by triggers. Rows that it inserted
 * itself don't count. If it isn't certain, a row counts as touched.
 */

/** Null if a row has no key that a trigger could report. */
export type Key = string | number | bigint | null;

/** Further keys are counted without being remembered, so one that comes again counts again. */
const mostRemembered = 200_000;

class Keys {
  private readonly remembered = new Set<Key>();
  private others = 0;

  get count(): number {
    return this.remembered.size + this.others;
  }

  get isWhole(): boolean {
    return this.others === 0;
  }

  add(key: Key): void {
    if (key !== null && (this.remembered.size < mostRemembered || this.remembered.has(key))) this.remembered.add(key);
    else this.others += 1;
  }

  has(key: Key): boolean {
    return this.remembered.has(key);
  }

  /** @returns whether it was there. */
  delete(key: Key): boolean {
    return this.remembered.delete(key);
  }

  [Symbol.iterator](): Iterator<Key> {
    return this.remembered.values();
  }
}

/**
 * What happened to keys. A row that moves to another key counts as touched under its old one, so no
 * row hides behind another's.
 */
export class WatchedRows {
  private readonly touched = new Keys();
  private readonly removed = new Keys();
  private readonly fresh = new Keys();
  /** Inserts, whatever became of the rows. */
  inserted = 0;

  insert(key: Key): void {
    this.inserted += 1;
    this.fresh.add(key);
  }

  update(from: Key, to: Key): void {
    const isFresh = this.fresh.has(from);
    if (!isFresh) this.touched.add(from);
    if (from === to) return;
    if (isFresh) {
      this.fresh.delete(from);
      this.fresh.add(to);
    } else this.fresh.delete(to);
  }

  delete(key: Key): void {
    if (this.fresh.delete(key)) return;
    this.touched.add(key);
    this.removed.add(key);
  }

  /** Rows touched and not seen deleted: never too few. */
  get updated(): number {
    return this.touched.count - this.removed.count;
  }

  /** True if every inserted row is known. */
  get isExact(): boolean {
    return this.fresh.isWhole;
  }

  get deleted(): number {
    return this.removed.count;
  }

  /** @returns how many rows that were seen deleted exist now under the same key. */
  stillThere(isThere: (key: Key) => boolean): number {
    return [...this.removed].filter(isThere).length;
  }

  /** @returns how many of the inserted rows exist now: never too few. */
  stillFresh(isThere: ((key: Key) => boolean) | null): number {
    if (!this.isExact) return this.inserted;
    return isThere === null ? this.fresh.count : [...this.fresh].filter(isThere).length;
  }
}
