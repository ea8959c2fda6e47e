/** Puts another text in the place of a client's file, with what was there kept beside it. */

import { readFileSync, rmSync } from 'node:fs';
import { finish, type Owner, openNew, ownerOf, replaceContent, writeWhole } from '../replace-file.ts';
import type { FoundFile } from './client-file.ts';

/**
 * @returns where what stood there is kept; null when the client has written its file in the
 * meantime, and nothing was done.
 */
export function replaceFile(found: FoundFile, text: string, isSecret: boolean): string | null {
  const owner = ownerOf(found, isSecret);
  const backup = keep(found.path, found.bytes, owner);
  // Where it was not written the backup stays: another run may have found it, and count on it.
  return replaceContent(found, `${found.mark}${text}`, owner) ? backup : null;
}

/**
 * The first one, from before Sallyport, is never overwritten; of the others the latest stays. One
 * that has the same content serves.
 */
function keep(path: string, bytes: Buffer, owner: Owner): string {
  const first = `${path}.before-sallyport`;
  const descriptor = openNew(first);
  if (descriptor !== null) return finishOrRemove(first, descriptor, bytes, owner);
  if (readFileSync(first).equals(bytes)) return first;
  const latest = `${first}-2`;
  writeWhole(latest, bytes, owner);
  return latest;
}

/** Half a backup would look like a whole one. */
function finishOrRemove(path: string, descriptor: number, bytes: Buffer, owner: Owner): string {
  try {
    finish(descriptor, bytes, owner);
    return path;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
