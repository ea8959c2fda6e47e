/**
 * Takes turns at files that people name. Node has four threads for files, and a file system that
 * never answers keeps each that looks at it. Opens nothing itself.
 */

export class FilesBusy extends Error {}

type FileTurns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Turns for the files that a dial needs. */
export const inDialTurn = fileTurns(2);
/**
 * Turns for the files that a save or `status` looks at, apart so that dials needn't wait for them.
 */
export const inLookTurn = fileTurns(1);

const turnMilliseconds = 2_000;

/** @returns a function that rejects (FilesBusy) if no turn comes in time. */
function fileTurns(most: number): FileTurns {
  let taken = 0;
  const waiting = new Set<() => void>();

  /** Resolves once one more may be looked at. */
  function turn(): Promise<void> {
    if (taken < most) {
      taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(go);
        reject(new FilesBusy('other files that connections name have not answered'));
      }, turnMilliseconds);
      const go = (): void => {
        clearTimeout(late);
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
    });
  }

  return async work => {
    await turn();
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}
