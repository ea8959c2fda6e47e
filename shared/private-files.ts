/**
 * Tells whether a file or folder belongs to this user alone (spec §1, §2 Trust). Doesn't judge its
 * content.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Whether there is a folder of this user alone: no mode for others, and not sticky. */
export function isPrivateFolder(folder: string): boolean {
  const stats = statsOf(folder);
  return isOwn(stats) && (stats.mode & 0o1077) === 0;
}

/** Whether there is a real folder of this user. */
export function isOwnFolder(folder: string): boolean {
  return isOwn(statsOf(folder));
}

/** Whether anything is there, a broken link too; false too if its folder can't be looked into. */
export function isThere(path: string): boolean {
  return statsOf(path) !== null;
}

/**
 * A sentence that says what is wrong, or null. A sticky folder (/tmp) that others may write isn't
 * private.
 */
export function folderProblem(folder: string): string | null {
  const stats = statsOf(folder);
  if (stats === null) return `${folder} does not exist`;
  if (!stats.isDirectory()) return `${folder} is not a real folder`;
  if (stats.uid !== process.getuid?.()) return `${folder} belongs to another user`;
  if ((stats.mode & 0o022) !== 0) return `${folder} can be written by others`;
  return null;
}

type PrivateFile = { kind: 'absent' } | { kind: 'untrusted'; problem: string } | { kind: 'read'; text: string };

/** Reads as {@link readOwnFile} does; nobody else may be able to write its folder, either. */
export function readPrivateFile(path: string, maxBytes: number): PrivateFile {
  const file = readOwnFile(path, maxBytes);
  const problem = file.kind === 'read' ? folderProblem(dirname(path)) : null;
  return problem === null ? file : { kind: 'untrusted', problem };
}

/**
 * Reads a file that must be regular, this user's and `0600`. The checks are valid for the bytes it
 * returns.
 */
export function readOwnFile(path: string, maxBytes: number): PrivateFile {
  let descriptor: number;
  try {
    // O_NONBLOCK: a FIFO here must not hang the reader.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return { kind: 'untrusted', problem: `${path} can't be opened (${code})` };
  }
  try {
    const stats = fstatSync(descriptor);
    const problem = fileProblem(path, stats, maxBytes);
    if (problem !== null) return { kind: 'untrusted', problem };
    return { kind: 'read', text: readFileSync(descriptor, 'utf8') };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Checks a file that another program opens: the problem {@link readPrivateFile} would report, or
 * null; null too if the file is missing.
 */
export function privateFileProblem(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : fileProblem(path, stats, Number.POSITIVE_INFINITY);
}

/** @param what the action that failed. @param problem with the file, as above. */
export function untrustedFile(what: string, path: string, problem: string): string {
  return `${what}: ${problem}; others may have changed it. Restore it from a backup, or make it yours alone (\`chmod 600 ${path}\`).`;
}

function fileProblem(path: string, stats: Stats, maxBytes: number): string | null {
  if (!stats.isFile()) return `${path} is not a regular file`;
  if (stats.uid !== process.getuid?.()) return `${path} belongs to another user`;
  if ((stats.mode & 0o777) !== 0o600) return `${path} has mode ${(stats.mode & 0o777).toString(8)}, not 600`;
  if (stats.size > maxBytes) return `${path} is larger than ${maxBytes} bytes`;
  return null;
}

function isOwn(stats: Stats | null): stats is Stats {
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** Null too if its folder can't be looked into. */
function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
