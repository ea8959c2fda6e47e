/**
 * The clock of locks and limits (spec §13): nobody sets it, and it runs while the machine sleeps. A
 * client that must wait five minutes waits five minutes of real time, a closed lid included.
 */

interface ClockSources {
  /** Milliseconds; never set, but may stand still while the machine sleeps. */
  readonly awake: () => number;
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /** Seconds since the machine started, sleep included. Asked only if the other two disagree. */
  readonly uptimeSeconds: () => number;
}

/** Automatic corrections of the wall clock are smaller than this. */
const partedMilliseconds = 1_000;

/** @returns milliseconds since some moment; never decreases. */
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
