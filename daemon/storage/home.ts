/** Makes the home folder private before anything is put into it (spec §1). */

import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { homePlaceProblem } from '../../shared/home-place.ts';
import { folderProblem } from '../../shared/private-files.ts';

/**
 * An existing folder's mode is never changed: it may be shared, or a container's mount point.
 * @throws Error with a sentence if the home can't be made, or the folder is no home.
 */
export function prepareHome(home: string): void {
  const unfit = homePlaceProblem(home);
  if (unfit !== null) throw new Error(unfit);
  makeFolder(home);
  const problem = folderProblem(home);
  if (problem !== null) throw new Error(`Sallyport's home can't be used: ${problem}.`);
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    throw new Error(
      `Sallyport's home ${home} is on a file system that is mounted read-only (EROFS); mount it writable, or set SALLYPORT_HOME to a folder elsewhere.`,
    );
  }
}

/** @returns a function that tells whether the home is still the same folder. */
export function watchHome(home: string): () => boolean {
  const first = statSync(home);
  return () => {
    const now = statSync(home, { throwIfNoEntry: false });
    return now?.ino === first.ino && now.dev === first.dev;
  };
}

/**
 * Not mkdir's `recursive`: if the system answers ENOENT though the parent exists (/proc), Node
 * tries for ever.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another daemon, started at the same moment, has made it.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EEXIST') throw new Error(`Sallyport's home ${folder} can't be made (${code}).`);
  }
}
