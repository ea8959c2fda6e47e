/**
 * Grows hostile texts and measures what they cost: twice the text may cost twice the time, not four
 * times. It measures this process's own processor time, so a busy machine changes nothing.
 */

import { createContext, runInContext } from 'node:vm';
import { expect } from '@jest/globals';
import fc from 'fast-check';

/** A text that repeats a fragment. */
export interface Growing {
  readonly before: string;
  readonly fragment: string;
  readonly after: string;
}

export const grown = (before: string, fragment: string, after = ''): Growing => ({ before, fragment, after });

/**
 * Any two or three of the pieces in sequence, after any of the beginnings and before any of the
 * ends.
 */
export function mixtures(
  pieces: readonly string[],
  beginnings: readonly string[],
  ends: readonly string[],
): fc.Arbitrary<Growing> {
  const fragment = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map(each => each.join(''));
  return fc.record({ before: fc.constantFrom(...beginnings), fragment, after: fc.constantFrom(...ends) });
}

/** Below this, growth is noise and harmless. */
const leastMilliseconds = 100;
/** No text of the tried sizes may take as long; a longer run is stopped. */
const mostMilliseconds = 3_000;
/** The first are so short that even time which doubles with each character is stopped early. */
const firstSizes = [32, 64, 256, 1_024, 4_096];
/** For twice the text: one pass takes twice the time, a pass for each part of it four times. */
const mostRatio = 2.8;
const doublings = 3;

/**
 * Reads a text.
 * @returns milliseconds that don't count, spent in others' code.
 */
export type Cost = (text: string) => number | undefined;

/** Infinity if it had to be stopped. */
function millisecondsOf(read: Cost, text: string, most: number, patience = most): number {
  let others = 0;
  const context = createContext({
    run: () => {
      others = read(text) ?? 0;
    },
  });
  const start = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  try {
    runInContext('run()', context, { timeout: patience });
  } catch (error) {
    if (!String(error).includes('timed out')) throw error;
    // On a busy machine the clock may run out though the work doesn't.
    return spent() > most / 2 ? Number.POSITIVE_INFINITY : millisecondsOf(read, text, most, patience * 4);
  }
  return spent() - others;
}

const textOf = ({ before, fragment, after }: Growing, size: number): string =>
  before + fragment.repeat(Math.max(1, Math.floor((size - before.length - after.length) / fragment.length))) + after;

/**
 * True if each of the last doublings takes far more than twice the time. The best of several runs
 * counts.
 */
function isSteep(growing: Growing, most: number, read: Cost): boolean {
  const best = (size: number) =>
    Math.min(...[1, 2, 3].map(() => millisecondsOf(read, textOf(growing, Math.floor(size)), mostMilliseconds)));
  let longer = best(most);
  for (let size = most / 2; size >= most / 2 ** doublings; size /= 2) {
    const shorter = best(size);
    if (longer < Math.max(1, shorter) * mostRatio) return false;
    longer = shorter;
  }
  return true;
}

/**
 * @param most length of the longest text that this reader ever gets.
 * @param milliseconds the most that one may take.
 * @returns a sentence on what grows too fast, or null.
 */
export function growthOf(growing: Growing, most: number, read: Cost, milliseconds = mostMilliseconds): string | null {
  const told = (size: number, what: string) => `${JSON.stringify(growing)} of ${size} characters ${what}`;
  for (const size of [...firstSizes.filter(each => each < most), most]) {
    const taken = millisecondsOf(read, textOf(growing, size), milliseconds);
    if (taken > milliseconds) return told(size, `takes more than ${milliseconds / 1000} seconds`);
    if (size < most || taken < leastMilliseconds) continue;
    if (isSteep(growing, most, read))
      return told(size, 'takes more than twice the time of a text half as long, and that one too');
  }
  return null;
}

/** So many of them, different each time; FUZZ_SEED repeats a run. */
export function some(growings: fc.Arbitrary<Growing>, count: number): readonly Growing[] {
  const seed = process.env.FUZZ_SEED;
  return fc.sample(growings, { numRuns: count, ...(seed !== undefined && { seed: Number(seed) }) });
}

/** Fails with each of the texts that grows too fast. */
export function expectLinear(growings: readonly Growing[], most: number, read: Cost): void {
  // Checked again before it counts: on a shared processor the speed may drop by half, twice in a
  // row.
  const isFound = (each: Growing) => growthOf(each, most, read) !== null;
  expect(
    growings
      .filter(isFound)
      .map(each => growthOf(each, most, read))
      .filter(found => found !== null),
  ).toEqual([]);
}
