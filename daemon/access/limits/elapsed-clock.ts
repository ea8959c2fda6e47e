/**
 * The clock that locks and limits go by (spec §13): nobody sets it, and it goes on while the
 * machine sleeps. A client that was told to wait five minutes waits five minutes of its owner's
 * life, a closed lid included.
 */

interface ClockSources {
  /** Milliseconds; never set, but may stand still while the machine sleeps. */
  readonly awake: () => number;
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /**
   * Seconds since the machine was started, sleep included. Asked only when the other two have
   * parted.
   */
  readonly uptimeSeconds: () => number;
}

/** The wall clock is corrected by so much at a time that nobody calls it set. */
const partedMilliseconds = 1_000;

/** @returns milliseconds since some moment; never less than before. */
export function elapsedClock({ awake, wall, uptimeSeconds }: ClockSources): () => number {
  const begunAt = uptimeSeconds() * 1000 - awake();
  let apart = wall() - awake();
  let slept = 0;
  return () => {
    const now = awake();
    const apartNow = wall() - now;
    if (Math.abs(apartNow - apart) > partedMilliseconds) {
      apart = apartNow;
      slept = Math.max(slept, uptimeSeconds() * 1000 - now - begunAt);
    }
    return now + slept;
  };
}
