/** Replaces the text of a client's file, and keeps a backup beside it. */

import { readFileSync, rmSync } from 'node:fs';
import { finish, type Owner, openNew, ownerOf, replaceContent, writeWhole } from '../replace-file.ts';
import type { FoundFile } from './client-file.ts';

/**
 * @returns the backup's path; null if the client has written its file meanwhile, and nothing was
 *   done.
 */
export function replaceFile(found: FoundFile, text: string, isSecret: boolean): string | null {
  const owner = ownerOf(found, isSecret);
  const backup = keep(found.path, found.bytes, owner);
  // If the write fails, the backup stays: another run may have found it and rely on it.
  return replaceContent(found, `${found.mark}${text}`, owner) ? backup : null;
}

/**
 * Writes a text that loses a password. The backup, which only this user may read, is replaced by no
 * later one.
 * @returns as {@link replaceFile}
 */
export function replaceTakingOut(found: FoundFile, text: string): string | null {
  const backup = keepApart(found.path, found.bytes, ownerOf(found, true));
  if (replaceContent(found, `${found.mark}${text}`, ownerOf(found, false))) return backup;
  // Nothing was taken out, so no copy of the password is needed.
  rmSync(backup, { force: true });
  return null;
}

/**
 * Ends the name of a takeover's backup; a number may follow. `connect undo` knows the backup by it.
 */
const takeoverEnding = '.before-sallyport-takeover';

function keepApart(path: string, bytes: Buffer, owner: Owner): string {
  for (let number = 1; ; number += 1) {
    const backup = `${path}${takeoverEnding}${number === 1 ? '' : `-${number}`}`;
    const descriptor = openNew(backup);
    if (descriptor !== null) return finishOrRemove(backup, descriptor, bytes, owner);
  }
}

/** Holds what the file was before Sallyport; it may not be there. */
export const firstBackup = (path: string): string => `${path}.before-sallyport`;

/**
 * The first backup, from before Sallyport, is never overwritten; of the others only the latest
 * stays. A backup with the same content is reused.
 */
function keep(path: string, bytes: Buffer, owner: Owner): string {
  const first = firstBackup(path);
  const descriptor = openNew(first);
  if (descriptor !== null) return finishOrRemove(first, descriptor, bytes, owner);
  if (readFileSync(first).equals(bytes)) return first;
  const latest = `${first}-2`;
  writeWhole(latest, bytes, owner);
  return latest;
}

/** Removes what could not be finished: half a backup would look like a whole one. */
function finishOrRemove(path: string, descriptor: number, bytes: Buffer, owner: Owner): string {
  try {
    finish(descriptor, bytes, owner);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
