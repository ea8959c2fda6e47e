/**
 * Checks whether the home and everything in it belong to this user alone (spec §1), and whether a
 * socket fits in it. Changes nothing.
 */

import { accessSync, constants, lstatSync, type Stats, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '../../shared/client-configs.ts';
import { entriesInHome } from '../../shared/home-files.ts';
import type { Locations } from '../../shared/locations.ts';
import { folderProblem, isThere } from '../../shared/private-files.ts';
import { type Check, ok, problem } from './check.ts';

export function checkFiles(locations: Locations): Check[] {
  const { home, controlSocketFolder } = locations;
  if (lstatSync(home, { throwIfNoEntry: false }) === undefined) return [placeCheck(home)];
  return [homeCheck(home), contentCheck(home), socketFolderCheck(home, controlSocketFolder)];
}

/** Checks the folder in which the first start will make the home. */
function placeCheck(home: string): Check {
  let place = dirname(home);
  while (!isThere(place) && place !== dirname(place)) place = dirname(place);
  return writableCheck(place) ?? ok('home', `${home} does not exist yet; the first start makes it.`);
}

function homeCheck(home: string): Check {
  const wrong = folderProblem(home);
  if (wrong !== null) return problem('home', `${wrong}.`, `make ${home} a folder of yours with mode 700`);
  const mode = lstatSync(home).mode & 0o777;
  if (mode === 0o700) return diskCheck(home) ?? ok('home', `${home} is yours alone.`);
  const so = (mode & 0o077) === 0 ? "Sallyport itself can't write there" : 'others can look into it';
  return problem('home', `${home} has mode ${octal(mode)}, so ${so}.`, `chmod 700 ${shellWord(home)}`);
}

function writableCheck(folder: string): Check | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const mended = code === 'EROFS' ? 'mount it writable' : 'make it writable';
    const remedy = `${mended}, or set SALLYPORT_HOME to a folder elsewhere`;
    return problem('home', `${folder} can't be written (${code}).`, remedy);
  }
}

/** If a start fails for lack of space, it can't save the reason either. */
function diskCheck(home: string): Check | null {
  const closed = writableCheck(home);
  if (closed !== null) return closed;
  const { blocks, bavail } = statfsSync(home);
  if (blocks === 0 || bavail > 0) return null;
  return problem('home', `There is no room left on the disk for ${home}.`, 'make some');
}

/** The first problem, and how many more there are. */
function contentCheck(home: string): Check {
  const entries = everythingIn(home);
  const faults = entries.flatMap(({ path, stats }) => faultOf(path, stats));
  const [first] = faults;
  if (first === undefined) return ok('files', `${entries.length} files and folders, each yours alone.`);
  const more = faults.length === 1 ? '' : ` and ${faults.length - 1} more like it`;
  return problem('files', `${first.says}${more}.`, first.remedy);
}

interface Fault {
  readonly says: string;
  readonly remedy: string;
}

function faultOf(path: string, stats: Stats): Fault[] {
  const mode = stats.mode & 0o777;
  if (stats.uid !== process.getuid?.())
    return [{ says: `${path} belongs to another user`, remedy: `move ${shellWord(path)} out of the home` }];
  // A link's own mode means nothing; the program that opens its target checks that.
  if (stats.isSymbolicLink() || (mode & 0o077) === 0) return [];
  const wanted = stats.isDirectory() ? '700' : '600';
  return [{ says: `${path} has mode ${octal(mode)}, not ${wanted}`, remedy: `chmod ${wanted} ${shellWord(path)}` }];
}

function everythingIn(home: string): { readonly path: string; readonly stats: Stats }[] {
  try {
    return entriesInHome(home).flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, stats }];
    });
  } catch {
    return [];
  }
}

function socketFolderCheck(home: string, folder: string): Check {
  if (folder === home) return ok('socket path', `The control socket fits into ${home}.`);
  const wrong = folderProblem(folder);
  if (wrong === null) return ok('socket path', `The home's path is long, so the control socket is in ${folder}.`);
  if (!isThere(folder))
    return ok('socket path', "The home's path is long, so the control socket will be in another folder.");
  return problem('socket path', `${wrong}.`, '`sallyport restart` makes another');
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
