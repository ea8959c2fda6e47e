/**
 * The time by which changed rows grow old (spec §7), over restarts too. It goes on by the slower of
 * two clocks, so that neither the wall clock, set forward, nor a machine's uptime, shown otherwise
 * to one program, makes rows old.
 */

export interface Clocks {
  /** Milliseconds since 1970. */
  readonly wall: number;
  /** Milliseconds since the machine was started, its sleep included. */
  readonly uptime: number;
}

/** As it was looked at last. */
export interface AccountTime extends Clocks {
  /** Milliseconds that have passed for the account. */
  readonly passed: number;
}

/**
 * Uptime is known to the hundredth of a second: many looks in a second would each lose a part of
 * it.
 */
const leastMilliseconds = 1_000;

/** Never less than before. */
export function accountTime(before: AccountTime, { wall, uptime }: Clocks): AccountTime {
  // Less than before: the machine was started again, and for how long it was off is not known.
  const ran = uptime >= before.uptime ? uptime - before.uptime : uptime;
  const gone = wall - before.wall;
  if (ran < leastMilliseconds && Math.abs(gone) < leastMilliseconds) return before;
  return { passed: before.passed + Math.max(0, Math.min(gone, ran)), wall, uptime };
}
