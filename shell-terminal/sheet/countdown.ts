/** The time that is left to answer, as it goes by: in whole seconds, so that nothing is drawn anew but when it changes. */

import { useEffect, useRef, useState } from '@inquirer/core';

const tickMilliseconds = 250;

/** Of the wall clock, as the daemon's own end is. */
export function secondsUntil(instant: string, nowMilliseconds: number): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - nowMilliseconds) / 1000));
}

/** `4:59` */
export function shownSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** What counts on the clock; drawn anew as soon as it changes. */
export function useTicking(read: () => number): number {
  const latest = useRef(read);
  latest.current = read;
  const [, setValue] = useState(read());
  useEffect(() => {
    const ticking = setInterval(() => setValue(latest.current()), tickMilliseconds);
    return () => clearInterval(ticking);
  }, []);
  return read();
}
