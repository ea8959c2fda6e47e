/**
 * Limits of time, given as a quiet machine needs them and stretched to this one's pace. A failure by
 * one of them says so in words that the reporter of failed suites knows.
 */

import { pace } from './pace.cjs';

/** What begins the message of a failure that may come from a busy machine alone. */
const tooLate = 'Not within';

/** @param quiet a limit in any unit, generous on a quiet machine. @returns a whole number. */
export function here(quiet: number): number {
  return Math.ceil(quiet * pace());
}

/** @param what the end of the sentence: "the daemon has ended". */
export function lateError(milliseconds: number, what: string, cause?: unknown): Error {
  return new Error(`${tooLate} ${Math.round(milliseconds / 100) / 10} s: ${what}`, { cause });
}

/**
 * For what must not wait for a longer limit of the product.
 * @param began `performance.now()` of then.
 * @throws if more time has passed since than `quietMilliseconds` would be here.
 */
export function expectWithin(began: number, quietMilliseconds: number): void {
  const took = performance.now() - began;
  const limit = here(quietMilliseconds);
  if (took > limit) throw lateError(limit, `the end of what took ${Math.round(took)} ms`);
}
