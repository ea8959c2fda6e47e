/**
 * Why a call must stop: its caller left, its time is over, or the connection is being closed. The
 * first reason counts.
 */

type StopReason = 'cancelled' | 'closed' | 'timeout';

export interface Watch {
  readonly signal: AbortSignal;
  /** Null while nothing has stopped the call. */
  reason(): StopReason | null;
  end(): void;
}

/** The server's own limit comes first; this one is for a server that hangs or has no such limit. */
const graceSeconds = 0.5;

export function watch(caller: AbortSignal, closing: AbortSignal, timeoutSeconds: number): Watch {
  const controller = new AbortController();
  let reason: StopReason | null = null;
  const stop = (why: StopReason): void => {
    reason ??= why;
    controller.abort();
  };
  const cancel = (): void => stop('cancelled');
  const close = (): void => stop('closed');
  const timer = setTimeout(() => stop('timeout'), (timeoutSeconds + graceSeconds) * 1000);
  for (const [signal, end] of [
    [caller, cancel],
    [closing, close],
  ] as const) {
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }
  return {
    signal: controller.signal,
    reason: () => reason,
    end: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
      closing.removeEventListener('abort', close);
    },
  };
}
