/**
 * One request to stop, from SIGTERM, SIGINT, SIGHUP or a shell, and its cause. A second signal ends
 * the process at once.
 */

export interface StopCause {
  /** The asking shell, if any. */
  readonly client?: string;
  readonly reason?: string;
}

interface StopRequest {
  readonly requested: Promise<void>;
  request(cause: StopCause): void;
  /** Cause of the first request; empty before. */
  cause(): StopCause;
}

export function stopSignals(): StopRequest {
  let resolve = (): void => {};
  const promise = new Promise<void>(settle => {
    resolve = settle;
  });
  let first: StopCause | null = null;
  const request = (cause: StopCause): void => {
    first ??= cause;
    resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => request({ reason: signal }));
  return { requested: promise, request, cause: () => first ?? {} };
}
