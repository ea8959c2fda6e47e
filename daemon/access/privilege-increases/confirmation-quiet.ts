/**
 * How long nobody is asked for a yes after it was not given (spec §11): longer each time, until a
 * yes. Ignores who asks and for what, so no caller can influence the back-off.
 */

interface QuietLimits {
  readonly quietSecondsAfterNo: number;
  readonly quietSecondsAfterLeaving: number;
  readonly longestQuietSeconds: number;
}

interface ConfirmationQuiet {
  /** 0 if asking is allowed. */
  secondsLeft(): number;
  heard(end: 'yes' | 'no' | 'timeout' | 'cancelled'): void;
}

/** @param now wall clock, milliseconds since 1970. */
export function confirmationQuiet(limits: QuietLimits, now: () => number): ConfirmationQuiet {
  let inARow = 0;
  let until = 0;
  let milliseconds = 0;

  return {
    secondsLeft() {
      const left = until - now();
      // After the clock was set back, nobody must stay quiet for days.
      return left > 0 && left <= milliseconds ? Math.ceil(left / 1000) : 0;
    },
    heard(end) {
      if (end === 'yes') {
        inARow = 0;
        until = 0;
        return;
      }
      if (Math.abs(now() - until) > limits.longestQuietSeconds * 1000) inARow = 0;
      const base = end === 'cancelled' ? limits.quietSecondsAfterLeaving : limits.quietSecondsAfterNo;
      const asLongAs = Math.min(base * 2 ** inARow, limits.longestQuietSeconds) * 1000;
      inARow = Math.min(inARow + 1, 30);
      // A shorter quiet never replaces a longer one.
      if (now() + asLongAs <= until && until - now() <= milliseconds) return;
      milliseconds = asLongAs;
      until = now() + asLongAs;
    },
  };
}
