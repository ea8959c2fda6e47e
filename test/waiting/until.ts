/** Waits for what gives a test no event: looks again and again, up to a deadline. */

import { here, lateError } from './limits.ts';

const pauseMilliseconds = 5;
const longestRestMilliseconds = 100;

/**
 * Polls until it holds; a look that throws counts as false.
 * @param what the end of the failure's sentence: "the daemon has ended".
 * @param seconds on a quiet machine.
 * @throws if it doesn't hold within them, with the last look's error as its cause.
 */
export async function until(holds: () => Promise<boolean> | boolean, what: string, seconds = 20): Promise<void> {
  const began = performance.now();
  for (;;) {
    const looked = performance.now();
    let cause: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      cause = error;
    }
    const now = performance.now();
    const milliseconds = now - began;
    // The pace may fall meanwhile.
    if (milliseconds > seconds * 1000 && milliseconds > here(seconds * 1000))
      throw lateError(milliseconds, what, cause);
    // A look that starts a process may itself be what keeps the processor busy.
    const rest = Math.min(2 * (now - looked), longestRestMilliseconds);
    await new Promise(resolve => setTimeout(resolve, pauseMilliseconds + rest));
  }
}

/**
 * Waits for what shows its end only by the lack of further events: resolves once `value` has stayed
 * the same for that long.
 */
export async function untilStill(
  value: () => number,
  stillMilliseconds: number,
  what: string,
  seconds = 30,
): Promise<void> {
  let last = value();
  let since = performance.now();
  await until(
    () => {
      const now = value();
      if (now !== last) since = performance.now();
      last = now;
      return performance.now() - since >= stillMilliseconds;
    },
    what,
    seconds,
  );
}
