/** Monotonic clock. */

/**
 * Milliseconds since some moment. Not `performance.now()`: the first use of that loads 0.5 ms of
 * Node, in every bridge's start.
 */
export function elapsedMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
