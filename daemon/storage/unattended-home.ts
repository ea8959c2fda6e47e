/**
 * The mark that `sallyport init --unattended` leaves in a new home (spec §11): the home begins with
 * the owner passphrase off. It counts only for a home that is being made.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { unattendedMark } from '../../shared/locations.ts';
import { readPrivateFile } from '../../shared/private-files.ts';

export const unattendedWords = '`sallyport init --unattended`, which made this home';

/** @returns whether the mark was there; it is removed in any case. */
export function takeUnattendedMark(home: string): boolean {
  const path = join(home, unattendedMark);
  const isThere = readPrivateFile(path, 0).kind === 'read';
  rmSync(path, { force: true });
  return isThere;
}
