/**
 * Random choices that a seed repeats: each actor draws from its own source, so one actor's pace
 * doesn't change another's choices.
 */

export interface Chance {
  /** A whole number from 0 to `end` − 1. */
  below(end: number): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<Value>(values: readonly Value[]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
  /** Letters and digits. */
  word(length: number): string;
}

/** @param name the actor's: the same seed and name give the same numbers. */
export function chance(seed: number, name: string): Chance {
  let state = seed >>> 0;
  for (const unit of Buffer.from(name)) state = Math.imul(state ^ unit, 0x01000193) >>> 0;

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (end: number): number => Math.floor(next() * end);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick,
    shuffled(values) {
      const left = [...values];
      return values.map(() => left.splice(below(left.length), 1)[0] as (typeof values)[number]);
    },
    word: length => Array.from({ length }, () => pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join(''),
  };
}
