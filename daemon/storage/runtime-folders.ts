/**
 * Makes a home's folders outside it (spec §1), so that nobody else can have made them. Trusts no
 * name but under the user's own /run/user and in the home's own file.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Locations, locationsIn } from '../../shared/locations.ts';
import { folderProblem, isPrivateFolder, isThere } from '../../shared/private-files.ts';
import { keptName, nameUnderTmp, type RuntimeFolder, sessionFolder } from '../../shared/runtime-folder.ts';
import { replacePrivateFileSync } from './atomic-file.ts';

/**
 * The home's locations, once the folder of its sockets is there and private. A lost one is made
 * anew. The home itself is not looked at.
 * @throws Error with a sentence, or the system's own.
 */
export function socketPlace(home: string): Locations {
  const { controlSocketFolder } = locationsIn(home);
  if (controlSocketFolder !== home && !isPrivateFolder(controlSocketFolder)) makeSocketFolder(home);
  return locationsIn(home);
}

function makeSocketFolder(home: string): void {
  const session = sessionFolder(home);
  if (isPrivateFolder(dirname(session)) && isMade(session)) {
    // Clients look there once the home names no other.
    rmSync(join(home, 'socket-folder'), { force: true });
    return;
  }
  const folder = ownName(home, 'socket-folder', isPrivateFolder);
  if (!isMade(folder)) throw new Error(`The folder for sockets was not made: ${folder} is not yours alone. Try again.`);
}

/** The folder in which boxes' folders are that others get into. It need not exist. */
export function sharedBoxes(home: string) {
  const keptShared = (): string | null => keptName(home, 'boxes-folder');
  return { keptShared, shared: () => ownName(home, 'boxes-folder', folder => folderProblem(folder) === null) };
}

/** Another name, if somebody has taken the one that the home had. */
function ownName(home: string, kind: RuntimeFolder, isUsable: (folder: string) => boolean): string {
  const kept = keptName(home, kind);
  if (kept !== null && (isUsable(kept) || !isThere(kept))) return kept;
  const name = nameUnderTmp(home, kind, randomBytes(8).toString('hex'));
  replacePrivateFileSync(join(home, kind), name);
  return name;
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It may be there, and ours.
  }
  return isPrivateFolder(folder);
}
