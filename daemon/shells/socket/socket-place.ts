/**
 * The control socket's place on disk (spec §1): its folder is private, and a dead daemon's
 * leftovers are removed. The caller holds the home's lock, so no living daemon's socket can be
 * here.
 */

import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmdirSync, rmSync, type Stats, unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname, join } from 'node:path';
import { folderProblem } from '../../../shared/private-files.ts';
import type { SocketPlace } from '../ports.ts';

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
export function preparePlace({ controlSocket, controlSocketFolder }: SocketPlace): void {
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

/** A bound socket, known by device and inode: its path may lead to another one by now. */
export interface BoundSocket {
  /** False if the path leads nowhere or to something else. */
  isThere(): boolean;
  /** Removes it if it is there. */
  remove(): void;
}

/**
 * Binds under another name and moves the socket to its place: it has mode 0600 from the first
 * moment, replaces whatever is there, and the system, which removes a closed server's socket by the
 * path it was bound to, never removes somebody else's.
 */
export async function bindPrivately(server: Server, path: string): Promise<BoundSocket> {
  // No longer than the socket's own name, which fits.
  const made = join(dirname(path), `.${randomBytes(4).toString('hex')}`);
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
    server.listen(made);
  } finally {
    process.umask(former);
  }
  await bound;
  chmodSync(made, 0o600);
  const ours = lstatSync(made);
  renameSync(made, path);
  const isThere = (): boolean => {
    const now = lstatOrNull(path);
    return now?.ino === ours.ino && now.dev === ours.dev;
  };
  return {
    isThere,
    remove() {
      if (isThere()) rmSync(path, { force: true });
    },
  };
}

/**
 * A folder can't be replaced, and what is in it isn't ours to remove.
 * @returns where it is now; null if there was none.
 */
export function moveFolderAside(path: string): string | null {
  if (lstatOrNull(path)?.isDirectory() !== true) return null;
  const aside = `${path}-${randomBytes(4).toString('hex')}`;
  renameSync(path, aside);
  return aside;
}

/** A folder made for the socket is removed with it, if nothing else is in it. */
export function leavePlace({ home, controlSocketFolder }: SocketPlace): void {
  if (controlSocketFolder === home) return;
  try {
    rmdirSync(controlSocketFolder);
  } catch {
    // Gone already, or not empty: an empty folder does no harm, and the stop must continue to
    // release the lock.
  }
}

/** @returns whether the path still leads to the same folder. */
export function sameFolder(folder: string): () => boolean {
  const first = lstatOrNull(folder);
  return () => {
    const now = lstatOrNull(folder);
    return first !== null && now?.ino === first.ino && now.dev === first.dev;
  };
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
