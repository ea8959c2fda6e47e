/**
 * Watches one statement from this side: for a client that leaves, and a call whose time is over
 * (in-time.ts). Tells which limit ended it.
 */

import { secondsOf, serverSeconds } from '../call-clock.ts';
import type { CallContext, DatabaseFailure } from '../engine.ts';
import { stoppedBy } from '../in-time.ts';
import { lowerLimits, ourLimits, type TimeLimits } from './run/time-limits.ts';

export interface Watch {
  /** Settles at the first of the two; never if `end` came before. */
  readonly stopped: Promise<DatabaseFailure>;
  /** What is left of the call's time; negative once it is over. */
  leftMilliseconds(): number;
  /** The limits in force, once they are known; ours until then. */
  limit(ours: TimeLimits, servers: TimeLimits): void;
  /**
   * What the end by a limit means; null if that time is not over, so something else ended it.
   */
  endedBy(limit: 'statement' | 'lock'): DatabaseFailure | null;
  end(): void;
}

/** @param now monotonic milliseconds. */
export function watchStatement(context: CallContext, now: () => number): Watch {
  const seconds = serverSeconds(context);
  const startedAt = now();
  const most = ourLimits(context);
  let inForce = most;
  let ours = most;
  let stop: (failure: DatabaseFailure) => void = () => {};
  const stopped = new Promise<DatabaseFailure>(resolve => {
    stop = resolve;
  });
  const abort = () => stop(stoppedBy({ ...context, timeoutSeconds: seconds }));
  context.signal.addEventListener('abort', abort, { once: true });
  if (context.signal.aborted) abort();
  return {
    stopped,
    leftMilliseconds: () => startedAt + seconds * 1_000 - now(),
    limit(mine, servers) {
      ours = mine;
      inForce = lowerLimits(mine, servers);
    },
    endedBy(limit) {
      const milliseconds = inForce[limit];
      if (now() - startedAt < milliseconds * 0.95) return null;
      const name = `${limit}_timeout`;
      const isServers = milliseconds < ours[limit];
      if (limit === 'lock') {
        const short = {
          ...(isServers && { limit: name }),
          ...(milliseconds < most.lock && { isShort: true as const }),
        };
        return { kind: 'locked', seconds: secondsOf(milliseconds), holder: null, ...short };
      }
      return isServers ? { kind: 'server_limit', limit: name } : { kind: 'timeout', seconds: secondsOf(milliseconds) };
    },
    end() {
      context.signal.removeEventListener('abort', abort);
    },
  };
}
