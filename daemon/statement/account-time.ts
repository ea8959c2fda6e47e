/**
 * The time by which changed rows grow old (spec §7), over restarts too. It follows the slower of
 * two clocks, so neither a wall clock set forward nor a faked uptime makes rows old.
 */

export interface Clocks {
  /** Milliseconds since 1970. */
  readonly wall: number;
  /** Milliseconds since the machine started, sleep included. */
  readonly uptime: number;
}

/** What the clocks showed at the last look. */
export interface AccountTime extends Clocks {
  /** Milliseconds that have passed for the account. */
  readonly passed: number;
}

/** Uptime has a resolution of 10 ms: many looks in a second would each lose a part of it. */
const leastMilliseconds = 1_000;

/** Never decreases. */
export function accountTime(before: AccountTime, { wall, uptime }: Clocks): AccountTime {
  // A smaller uptime: the machine was restarted, and nobody knows how long it was off.
  const ran = uptime >= before.uptime ? uptime - before.uptime : uptime;
  const gone = wall - before.wall;
  if (ran < leastMilliseconds && Math.abs(gone) < leastMilliseconds) return before;
  return { passed: before.passed + Math.max(0, Math.min(gone, ran)), wall, uptime };
}
