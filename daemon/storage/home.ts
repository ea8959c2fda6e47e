/** Makes the home folder private before anything is put into it (spec §1). */

import { accessSync, constants, statSync } from 'node:fs';
import { homePlaceProblem, makeHomeFolder, readOnlyHome } from '../../shared/home-place.ts';
import { folderProblem } from '../../shared/private-files.ts';

/**
 * An existing folder's mode is never changed: it may be shared, or a container's mount point.
 * @throws Error with a sentence if the home can't be made, or the folder is no home.
 */
export function prepareHome(home: string): void {
  const unfit = homePlaceProblem(home);
  if (unfit !== null) throw new Error(unfit);
  makeHomeFolder(home);
  const problem = folderProblem(home);
  if (problem !== null) throw new Error(`Sallyport's home can't be used: ${problem}.`);
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    throw new Error(readOnlyHome(home));
  }
}

/**
 * @returns a function that tells whether the home is still the same folder; false if it can't be
 *   looked at.
 */
export function watchHome(home: string): () => boolean {
  const first = statSync(home);
  return () => {
    try {
      const now = statSync(home);
      return now.ino === first.ino && now.dev === first.dev;
    } catch {
      return false;
    }
  };
}
