/** One request to stop, from SIGTERM, SIGINT, SIGHUP or a shell. A second signal ends the process at once. */

interface StopRequest {
  readonly requested: Promise<void>;
  request(): void;
}

export function stopSignals(): StopRequest {
  let resolve = (): void => {};
  const promise = new Promise<void>(settle => {
    resolve = settle;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  return { requested: promise, request: resolve };
}
