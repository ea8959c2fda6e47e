/** Why a statement must end early: its client left, its time is up, or the connection is closed. */

import { millisecondsLeft, secondsOf } from '../call-clock.ts';
import type { CallContext, DatabaseFailure } from '../engine.ts';

export interface Watch {
  readonly signal: AbortSignal;
  /** The answer once `signal` is aborted. */
  failure(): DatabaseFailure;
  /** Ends the timer and releases the other signals, which outlive the statement. */
  clear(): void;
}

const longestTimerMilliseconds = 0x7fffffff;

export function watchFor(context: CallContext, closing: AbortSignal): Watch {
  const ending = new AbortController();
  const end = () => ending.abort();
  const milliseconds = millisecondsLeft(context);
  const timer = setTimeout(end, Math.min(milliseconds, longestTimerMilliseconds));
  for (const signal of [context.signal, closing]) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }
  return {
    signal: ending.signal,
    failure() {
      if (context.signal.aborted) return { kind: 'cancelled' };
      if (closing.aborted) return { kind: 'not_connected', message: 'The connection was closed.' };
      return { kind: 'timeout', seconds: secondsOf(milliseconds) };
    },
    clear() {
      clearTimeout(timer);
      for (const signal of [context.signal, closing]) signal.removeEventListener('abort', end);
    },
  };
}
