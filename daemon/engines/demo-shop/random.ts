/** A seeded source of chance (mulberry32), so that the demo shop is the same on every machine and day. */

export interface Chance {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** True in `percent` of 100 cases. */
  percent(percent: number): boolean;
}

export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    pick: list => list[between(0, list.length - 1)] ?? list[0],
    percent: percent => fraction() * 100 < percent,
  };
}
