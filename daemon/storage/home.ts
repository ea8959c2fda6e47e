/** Makes the home folder private before anything is put into it (spec §1). */

import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { folderProblem } from '../../shared/private-files.ts';
import { unusableHome } from '../../shared/usable-home.ts';

/** @throws Error with a sentence if the home can't be made or belongs to somebody else. */
export function prepareHome(home: string): void {
  const unusable = unusableHome(home);
  if (unusable !== null) throw new Error(unusable);
  makeFolder(home);
  // An older or hand-made home may be open to others. If it is ours, we close it.
  const stats = lstatSync(home);
  const isOurs = stats.isDirectory() && stats.uid === process.getuid?.();
  if (isOurs && (stats.mode & 0o777) !== 0o700) closeToOthers(home);
  const problem = folderProblem(home);
  if (problem !== null) throw new Error(`Sallyport's home can't be used: ${problem}.`);
  refuseReadOnly(home, () => accessSync(home, constants.W_OK));
}

function closeToOthers(home: string): void {
  refuseReadOnly(home, () => chmodSync(home, 0o700));
}

function refuseReadOnly(home: string, attempt: () => void): void {
  try {
    attempt();
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
