/**
 * Collects garbage once the daemon has been idle for some seconds after work. V8 collects when a
 * program asks for memory, so an idle one keeps what its last load left: up to 300 MB.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface IdleGarbagePorts {
  /** Processor time of this process, in milliseconds. */
  readonly used: () => number;
  readonly collect: () => void;
  readonly lookMilliseconds?: number;
}

const usualLookMilliseconds = 5_000;
/** Processor time between two looks. Timers and a bridge that only pings take less. */
const idleMilliseconds = 100;
/** Processor time since the last collection. A few dozen calls take more. */
const worthMilliseconds = 300;

/** @returns what ends it. */
export function collectWhenIdle({
  used,
  collect,
  lookMilliseconds = usualLookMilliseconds,
}: IdleGarbagePorts): () => void {
  let collectedAt = 0;
  let lookedAt = used();
  const look = (): void => {
    const now = used();
    const isIdle = now - lookedAt < idleMilliseconds;
    lookedAt = now;
    if (!isIdle || now - collectedAt < worthMilliseconds) return;
    collect();
    lookedAt = used();
    collectedAt = lookedAt;
  };
  const timer = setInterval(look, lookMilliseconds).unref();
  return () => clearInterval(timer);
}

/**
 * Collects the calling thread's heap, and gives the memory back. V8 offers that to contexts made
 * while an option is set; this one is made here, and no other gets it.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: (how: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
