/**
 * Watches one statement from this side: for a client that leaves, and a server that no longer
 * answers.
 */

import type { CallContext, DatabaseFailure } from '../engine.ts';
import { limits } from './wire/bounds.ts';

export interface Watch {
  /** Settles at the first of the two; never if `end` came before. */
  readonly stopped: Promise<DatabaseFailure>;
  /** True if the server's own timeout has stopped it by now. */
  timedOut(): boolean;
  /** Of the call's time; negative once it is over. */
  leftMilliseconds(): number;
  end(): void;
}

/**
 * @param now monotonic milliseconds. The server has the timeout too; here it comes a second later,
 *   for a hung server.
 */
export function watchStatement(context: CallContext, now: () => number): Watch {
  const milliseconds = context.timeoutSeconds * 1_000;
  const startedAt = now();
  let stop: (failure: DatabaseFailure) => void = () => {};
  const stopped = new Promise<DatabaseFailure>(resolve => {
    stop = resolve;
  });
  const abort = () => stop({ kind: 'cancelled' });
  const timer = setTimeout(
    () => stop({ kind: 'timeout', seconds: context.timeoutSeconds }),
    milliseconds + limits.guardMilliseconds,
  );
  context.signal.addEventListener('abort', abort, { once: true });
  if (context.signal.aborted) abort();
  return {
    stopped,
    leftMilliseconds: () => startedAt + milliseconds - now(),
    timedOut: () => now() - startedAt >= milliseconds * 0.95,
    end() {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', abort);
    },
  };
}
