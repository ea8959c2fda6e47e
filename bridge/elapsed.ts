/** Monotonic clock. */

/**
 * Milliseconds since some moment. Not `performance.now()`: its first use loads 0.5 ms of Node, at
 * every bridge's start.
 */
export function elapsedMilliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
