/**
 * Reads a file that belongs to the person and another program (a client's configuration, the
 * desktop's list of handlers), and says whether it may be replaced. Changes nothing.
 */

import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownFolderAround } from '../shared/home-place.ts';

export type ReadUsersFile =
  | UsersFile
  /** @param made the outermost folder that would have to be made; null if the folder exists. */
  | { readonly kind: 'absent'; readonly path: string; readonly made: string | null }
  /** A sentence without a full stop. */
  | { readonly kind: 'refused'; readonly why: string };

export interface UsersFile {
  readonly kind: 'found';
  /** The file that its links lead to. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
}

const maxFileBytes = 16 * 1024 * 1024;

export function readUsersFile(named: string): ReadUsersFile {
  const own = ownFolderAround(named);
  if (own !== null)
    return { kind: 'refused', why: `${named} is in ${own}, which holds files of Sallyport that no client reads` };
  const link = lstatSync(named, { throwIfNoEntry: false });
  if (link === undefined) return absent(named);
  const refuse = (why: string): ReadUsersFile => ({ kind: 'refused', why: `${named} ${why}` });
  let path: string;
  let stats: Stats;
  try {
    path = realpathSync(named);
    stats = statSync(path);
  } catch {
    return refuse(link.isSymbolicLink() ? 'is a link that leads nowhere' : "can't be looked at");
  }
  if (!stats.isFile()) return refuse('is not a regular file');
  if (stats.uid !== process.getuid?.()) return refuse('belongs to another user');
  // Checks the mode too: root may write everything.
  if ((stats.mode & 0o200) === 0 || !isWritable(path)) return refuse('is not writable');
  if (stats.size > maxFileBytes) return refuse(`is larger than ${maxFileBytes / 1024 / 1024} MiB`);
  const folder = folderProblem(dirname(path));
  if (folder !== null) return { kind: 'refused', why: folder };
  return { kind: 'found', path, bytes: readFileSync(path), stats };
}

function absent(path: string): ReadUsersFile {
  let made: string | null = null;
  let folder = dirname(path);
  while (lstatSync(folder, { throwIfNoEntry: false }) === undefined && folder !== dirname(folder)) {
    made = folder;
    folder = dirname(folder);
  }
  const why = folderProblem(folder);
  return why === null ? { kind: 'absent', path, made } : { kind: 'refused', why };
}

function folderProblem(folder: string): string | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return `${folder} is not a folder`;
  // Root in another user's home would leave them a file that isn't theirs.
  if (process.getuid?.() === 0 && stats.uid !== 0) return `${folder} belongs to another user`;
  return isWritable(folder) ? null : `${folder} is not writable`;
}

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
