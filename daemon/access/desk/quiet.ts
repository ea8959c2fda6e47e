/**
 * How long nobody is asked after a yes was not given (spec §11, §12): longer each time, until a yes
 * or a long pause. Ignores who asks, so another name doesn't shorten it.
 */

export interface QuietLimits {
  /** After such an end, for the first time. It doubles with each further one. */
  readonly secondsAfter: Partial<Readonly<Record<string, number>>>;
  /** The longest; after as long without an end it starts again. */
  readonly longestSeconds: number;
  readonly endsByYes: boolean;
}

export interface Quiet {
  /** 0 if asking is allowed. */
  secondsLeft(about: string): number;
  heard(about: string, end: string): void;
}

const neverQuiet: QuietLimits = { secondsAfter: {}, longestSeconds: 0, endsByYes: false };

/** @param elapsed milliseconds of a clock that is never set and never stands still. */
export function openQuiet(
  { secondsAfter, longestSeconds, endsByYes }: QuietLimits = neverQuiet,
  elapsed: () => number,
): Quiet {
  const ends = new Map<string, { readonly inARow: number; readonly until: number }>();
  return {
    secondsLeft: about => Math.max(0, Math.ceil(((ends.get(about)?.until ?? 0) - elapsed()) / 1000)),
    heard(about, end) {
      if (end === 'yes' && endsByYes) ends.delete(about);
      const seconds = secondsAfter[end];
      if (seconds === undefined) return;
      const { inARow, until } = ends.get(about) ?? { inARow: 0, until: 0 };
      const before = elapsed() - until > longestSeconds * 1000 ? 0 : inARow;
      const asLongAs = Math.min(seconds * 2 ** before, longestSeconds) * 1000;
      // A shorter quiet never replaces a longer one.
      ends.set(about, { inARow: Math.min(before + 1, 30), until: Math.max(until, elapsed() + asLongAs) });
    },
  };
}
