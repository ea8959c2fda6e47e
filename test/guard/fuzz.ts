/**
 * How long the fuzzers of this folder run: FUZZ_SECONDS per engine, by default 1; `make fuzz` gives
 * an hour. A failure prints its seed.
 */

import { expect } from '@jest/globals';
import fc from 'fast-check';

export const fuzzSeconds = Number(process.env.FUZZ_SECONDS ?? 1);

/** For `jest`, including the start of a server. */
export const fuzzPatienceMilliseconds = fuzzSeconds * 1000 + 120_000;

/** On slow machines too: a dozen in a second would test nothing. */
const leastRuns = 40;

/** @param share of `fuzzSeconds`. FUZZ_SEED repeats a run. */
function budget(share: number) {
  const seed = process.env.FUZZ_SEED;
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: fuzzSeconds * 1000 * share,
    markInterruptAsFailure: false,
    includeErrorInReport: true,
    ...(seed !== undefined && { seed: Number(seed) }),
  };
}

/** The same runs, with the least number of them. */
function leastOf({ seed }: { readonly seed: number }) {
  return { numRuns: leastRuns, includeErrorInReport: true, seed };
}

/** To fast-check an interruption in the first run is a failure, without a counterexample. */
const isEnough = ({ counterexample, numRuns }: { readonly counterexample: unknown; readonly numRuns: number }) =>
  counterexample !== null || numRuns >= leastRuns;

export function assertFor<Value>(share: number, values: fc.Arbitrary<Value>, holds: (value: Value) => void): void {
  const property = fc.property(values, holds);
  const run = fc.check(property, budget(share));
  report(isEnough(run) ? run : fc.check(property, leastOf(run)));
}

export async function assertForAsync<Value>(
  share: number,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => Promise<void>,
): Promise<void> {
  // At its time limit the check leaves its last run unfinished, on a connection that others use
  // next.
  let last: Promise<void> = Promise.resolve();
  const tracked = (value: Value): Promise<void> => {
    last = holds(value);
    return last;
  };
  const property = fc.asyncProperty(values, tracked);
  const run = await fc.check(property, budget(share));
  await last.catch(() => {});
  report(isEnough(run) ? run : await fc.check(property, leastOf(run)));
}

function report<Values>(run: fc.RunDetails<Values>): void {
  expect(run.failed ? fc.defaultReportMessage(run) : '').toBe('');
  expect(run.numRuns).toBeGreaterThanOrEqual(leastRuns);
}
