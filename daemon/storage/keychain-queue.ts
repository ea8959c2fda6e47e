/** Work done one piece after the other: two changes of one index, or a change during a move, would lose a secret. */

export function openQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
