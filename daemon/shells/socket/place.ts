/**
 * The control socket's place on disk (spec §1): its folder is private, and a dead daemon's
 * leftovers are removed. The caller holds the home's lock, so no living daemon's socket can be
 * here.
 */

import { chmodSync, lstatSync, mkdirSync, rmdirSync, type Stats, unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { folderProblem } from '../../../shared/private-files.ts';
import type { ControlPorts } from '../ports.ts';

class ControlSocketRefused extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'ControlSocketRefused';
  }
}

/**
 * @throws ControlSocketRefused with a sentence if the folder can't be trusted or something else is
 *   there.
 */
export function preparePlace({ home, controlSocket, controlSocketFolder }: ControlPorts['locations']): void {
  if (controlSocketFolder !== home) {
    try {
      mkdirSync(controlSocketFolder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  const problem = folderProblem(controlSocketFolder) ?? opennessOf(controlSocketFolder);
  if (problem !== null)
    throw new ControlSocketRefused(`The control socket was not made: ${problem}. Remove or repair that folder.`);
  const inTheWay = lstatOrNull(controlSocket);
  if (inTheWay === null) return;
  if (!inTheWay.isSocket())
    throw new ControlSocketRefused(
      `The control socket was not made: ${controlSocket} is something else than a socket. Move it away.`,
    );
  unlinkSync(controlSocket);
}

/** Binds with mode 0600 from the first moment: a later chmod alone would leave a gap. */
export async function bindPrivately(server: Server, path: string): Promise<void> {
  const bound = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A path is bound within this call, so nothing else is created under this narrower mask.
  const former = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(former);
  }
  await bound;
  chmodSync(path, 0o600);
}

/** The socket disappears when its server closes; a folder made for it is removed too. */
export function leavePlace({ home, controlSocketFolder }: ControlPorts['locations']): void {
  if (controlSocketFolder === home) return;
  try {
    rmdirSync(controlSocketFolder);
  } catch {
    // Gone already, or not empty: an empty folder does no harm, and the stop must continue to
    // release the lock.
  }
}

function opennessOf(folder: string): string | null {
  const mode = (lstatOrNull(folder)?.mode ?? 0o777) & 0o777;
  return (mode & 0o077) === 0 ? null : `${folder} is open to others (mode ${mode.toString(8)}, not 700)`;
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
