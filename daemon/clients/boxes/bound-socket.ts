/** Binds a box's socket in its folder, tells if it is still there, and takes it away. */

import { lstatSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { dirname } from 'node:path';
import {
  type BoxFolders,
  lengthProblem,
  prepareFolder,
  removeFolder,
  socketMode,
  socketProblem,
} from './box-folder.ts';

/** The time in which connected clients may still hear that their box has ended. */
const farewellMilliseconds = 200;

export interface BoxCredential {
  /**
   * A clause if something else, or nothing, is at its path, or if as many as it may have are
   * connected; else null.
   */
  problem(): string | null;
  /**
   * Removes the credential and ends every connection that came by it.
   * @param isForGood true if the box has ended: its folder goes, too.
   */
  close(isForGood: boolean): Promise<void>;
}

interface BoundPorts {
  readonly folders: BoxFolders;
  readonly report: (error: unknown) => void;
}

/**
 * @param open the connections that came by it.
 * @returns the door, or a clause on why there is none and what to do.
 */
export async function bindSocket(
  server: Server,
  socket: string,
  group: string | null,
  { folders, report }: BoundPorts,
  open: ReadonlySet<Socket>,
): Promise<BoxCredential | string> {
  try {
    const problem =
      lengthProblem(socket) ?? (await prepareFolder(folders, socket, group)) ?? (await listen(server, socket, group));
    if (problem !== null) return problem;
  } catch (error) {
    return `${socket} can't be made (${error instanceof Error ? error.message : String(error)})`;
  }
  // An accept that fails must not end the daemon.
  server.on('error', report);
  const made = lstatSync(socket).ino;
  return {
    problem: () =>
      lstatSync(socket, { throwIfNoEntry: false })?.ino === made
        ? null
        : 'its socket is gone, or another file is in its place; `sallyport restart` makes it anew',
    async close(isForGood) {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      if (isForGood) removeFolder(dirname(socket));
      if (open.size > 0) await new Promise(resolve => setTimeout(resolve, farewellMilliseconds));
      for (const connection of open) connection.destroy();
      await closed;
    },
  };
}

/**
 * The socket's mode is right from the first moment. No chmod follows, as a link may be at the path
 * by then.
 */
async function listen(server: Server, socket: string, group: string | null): Promise<string | null> {
  const bound = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
  });
  // The path is bound within this call, so nothing else is created under this mask.
  const former = process.umask(0o777 & ~socketMode(group));
  try {
    server.listen(socket);
  } finally {
    process.umask(former);
  }
  await bound;
  const problem = socketProblem(socket, group);
  if (problem !== null) server.close();
  return problem;
}
