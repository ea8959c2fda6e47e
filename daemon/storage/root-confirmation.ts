/**
 * Whether root confirms that a reset of the owner passphrase is the owner's (spec §11): a file in
 * the home that only root can write, holding the reset's id. A root's file that was moved or linked
 * here holds something else.
 */

import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootConfirmation } from '../../shared/locations.ts';

/** @param uid the daemon's user. */
export function isConfirmedByRoot(home: string, resetId: string, uid = process.getuid?.()): boolean {
  // If Sallyport itself runs as root, every program of its user is root, so the file proves
  // nothing.
  if (uid === 0) return false;
  const path = join(home, rootConfirmation);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.uid !== 0 || (stats.mode & 0o022) !== 0 || stats.size > 64) return false;
  try {
    return readFileSync(path, 'utf8').trim() === resetId;
  } catch {
    return false;
  }
}
