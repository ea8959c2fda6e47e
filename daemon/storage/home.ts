/** Makes the home folder this user's alone before anything is put into it (SPEC §1). */

import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { folderProblem } from '../../shared/private-files.ts';

/** @throws Error with a sentence when the home can't be made or belongs to somebody else. */
export function prepareHome(home: string): void {
  process.umask(0o077);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // An older or hand-made home may be open to others; it is ours to close when it is our own.
  if (statSync(home).uid === process.getuid?.()) chmodSync(home, 0o700);
  const problem = folderProblem(home);
  if (problem !== null) throw new Error(`Sallyport's home can't be used: ${problem}.`);
}
