/**
 * Runs pieces of work one after another, in order: two changes at once must not see each other's
 * half-made state. A failure goes to its caller and holds nobody up.
 */

export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
