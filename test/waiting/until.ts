/** Waits for what a test gets no event of: looks again and again, up to a deadline. */

const pauseMilliseconds = 5;
const longestRestMilliseconds = 100;

/**
 * Polls until it holds; a look that throws is one that doesn't.
 * @param what the end of the sentence it fails with: "the daemon has ended".
 * @throws where it doesn't hold within `seconds`, with what the last look threw as its cause.
 */
export async function until(holds: () => Promise<boolean> | boolean, what: string, seconds = 20): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const looked = performance.now();
    let cause: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      cause = error;
    }
    const now = performance.now();
    if (now > deadline) throw new Error(`Not so within ${seconds} s: ${what}`, { cause });
    // A look that starts a process may well be what keeps the processor busy.
    const rest = Math.min(2 * (now - looked), longestRestMilliseconds);
    await new Promise(resolve => setTimeout(resolve, pauseMilliseconds + rest));
  }
}

/**
 * Waits for what has no other sign of its end than that nothing more happens: resolves once `value`
 * was the same for that long.
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
