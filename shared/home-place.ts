/**
 * Tells whether a folder may be a home of Sallyport (spec §1): what we didn't make we don't change.
 * It must be absent, empty or a home already, and nobody else's. Makes nothing but a home's folder.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { shellWord } from './client-configs.ts';
import { startFailureFile } from './start-failure.ts';
import { unusableHome } from './usable-home.ts';

/** A sentence, or null if it may. */
export function homePlaceProblem(home: string): string | null {
  const unusable = unusableHome(home);
  if (unusable !== null) return unusable;
  const problem = problemOf(home);
  return problem === null ? null : `Sallyport's home can't be used: ${problem}.`;
}

/** Any of them makes a folder a home; the last three may come before its first start. */
const marks = ['daemon.lock', 'sallyport.db', 'unattended', 'stopped-until-login', basename(startFailureFile('/'))];

export function isHome(folder: string): boolean {
  return marks.some(name => isFile(join(folder, name)));
}

/** Asks for more than the name of a lock, which other programs' folders may have too. */
function isUsedHome(folder: string): boolean {
  return (
    isFile(join(folder, 'sallyport.db')) || (isFile(join(folder, 'daemon.lock')) && isFile(join(folder, 'reserve')))
  );
}

/** False for what can't be looked at: below a file (ENOTDIR), or in a closed folder. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The home, or the folder of boxes outside of it, in which a path is; null if it is in none. Links
 * are followed. The path need not exist.
 */
export function ownFolderAround(path: string): string | null {
  for (let place = dirname(realPathOf(path)); ; place = dirname(place)) {
    if (isBoxesFolder(place) || isUsedHome(place)) return place;
    if (place === dirname(place)) return null;
  }
}

/** True for a folder that `nameUnderTmp` of runtime-folder.ts names. */
function isBoxesFolder(place: string): boolean {
  return dirname(place) === realPathOf('/tmp') && basename(place).startsWith('sallyport-boxes-');
}

const allowedMode = 0o700;
const sticky = 0o1000;
/** A folder that stands at the top of a disk that is mounted there. */
const ofFileSystem = 'lost+found';

function problemOf(home: string): string | null {
  const around = ownFolderAround(home);
  if (around !== null) return `${home} is inside ${around}, which holds files of Sallyport; name a folder elsewhere`;
  const stats = lstatSync(home, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isDirectory()) return `${home} is not a real folder`;
  if (stats.uid !== process.getuid?.()) return `${home} belongs to another user`;
  if ((stats.mode & sticky) !== 0) return `${home} is a folder for all users; name one of your own`;
  const entries = entriesOf(home);
  if (entries === null) return `${home} is closed to you; run \`chmod 700 ${shellWord(home)}\``;
  if (entries.includes('.git')) return `${home} is a git clone; name a folder that is empty or does not exist`;
  if (entries.length > 0 && !isHome(home))
    return `${home} holds files that are not Sallyport's; name a folder that is empty or does not exist`;
  const mode = stats.mode & 0o777;
  return mode === allowedMode
    ? null
    : `${home} has mode ${mode.toString(8).padStart(3, '0')}; run \`chmod 700 ${shellWord(home)}\` if it is meant to be yours alone`;
}

function entriesOf(folder: string): string[] | null {
  try {
    return readdirSync(folder).filter(name => name !== ofFileSystem);
  } catch {
    return null;
  }
}

/** Of as much of the path as exists. */
function realPathOf(path: string): string {
  const whole = resolve(path);
  const missing: string[] = [];
  for (let place = whole; ; place = dirname(place)) {
    if (existsSync(place) || place === dirname(place)) {
      try {
        return join(realpathSync(place), ...missing);
      } catch {
        return whole;
      }
    }
    missing.unshift(basename(place));
  }
}

/**
 * Not mkdir's `recursive`: if the system answers ENOENT though the parent exists (/proc), Node
 * tries for ever.
 * @throws Error with a sentence
 */
export function makeHomeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeHomeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another daemon, started at the same moment, has made it.
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EROFS') throw new Error(readOnlyHome(folder));
    if (code !== 'EEXIST') throw new Error(`Sallyport's home ${folder} can't be made (${code}).`);
  }
}

/** As in a container whose root is read-only. */
export function readOnlyHome(folder: string): string {
  return `Sallyport's home ${folder} is on a file system that is mounted read-only (EROFS); mount it writable, or set SALLYPORT_HOME to a folder elsewhere.`;
}
