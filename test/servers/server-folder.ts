/**
 * Where a private server's data lie: in memory, where there is plenty. Making and removing PostgreSQL's thousand files takes half a second of
 * processor time on a disk, and a tenth of that there. A container often has 64 MB of it: then it is the folder of temporary files.
 */

import { mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const inMemory = '/dev/shm';
/** Five suites at once have a dozen servers at most, of some 100 MB each. */
const plentyBytes = 4 * 1024 ** 3;

/** @param prefix of its name. @returns a folder that is its own; the caller removes it. */
export function makeServerFolder(prefix: string): string {
  if (hasRoom()) {
    try {
      return mkdtempSync(join(inMemory, prefix));
    } catch {
      // Not ours to write.
    }
  }
  return mkdtempSync(join(tmpdir(), prefix));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize > plentyBytes && freemem() > plentyBytes;
  } catch {
    return false;
  }
}
