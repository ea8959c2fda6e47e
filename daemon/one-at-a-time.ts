/**
 * Runs work one piece after the other, in the order it came: two changes at once must not see each
 * other's half-made state. What fails is its caller's matter and holds nobody up.
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
