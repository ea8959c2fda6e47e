/** How long the fuzzers of this folder run: FUZZ_SECONDS for each engine, 1 unless told; `make fuzz` gives an hour. A failure prints its seed. */

import { expect } from '@jest/globals';
import fc from 'fast-check';

export const fuzzSeconds = Number(process.env.FUZZ_SECONDS ?? 1);

/** For `jest`, beside what the start of a server takes. */
export const fuzzPatienceMilliseconds = fuzzSeconds * 1000 + 120_000;

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

export function assertFor<Value>(share: number, values: fc.Arbitrary<Value>, holds: (value: Value) => void): void {
  report(fc.check(fc.property(values, holds), budget(share)));
}

export async function assertForAsync<Value>(
  share: number,
  values: fc.Arbitrary<Value>,
  holds: (value: Value) => Promise<void>,
): Promise<void> {
  // At its time limit the check leaves its last run under way, on a connection that others use next.
  let last: Promise<void> = Promise.resolve();
  const tracked = (value: Value): Promise<void> => {
    last = holds(value);
    return last;
  };
  const run = await fc.check(fc.asyncProperty(values, tracked), budget(share));
  await last.catch(() => {});
  report(run);
}

function report<Values>(run: fc.RunDetails<Values>): void {
  expect(run.failed ? fc.defaultReportMessage(run) : '').toBe('');
  // So few are a slow machine's in one second; none, and nothing was tried.
  expect(run.numRuns).toBeGreaterThan(3);
}
