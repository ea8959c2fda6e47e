/** Runs tasks one after the other: two shells that change connections at once must not see each other's half-made state. */

export interface OneAtATime {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const next = last.then(task);
      last = next.catch(() => {});
      return next;
    },
  };
}
