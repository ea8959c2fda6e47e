/**
 * A folder for one tunnel's sockets, which this user alone may enter, with a path that a socket's
 * address has room for.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TunnelFailed } from './tunnel.ts';

/** What every system takes is a little more. */
const mostPathBytes = 99;

/** @param longestName of what it is to hold. */
export function makeSocketFolder(parent: string, longestName: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  chmodSync(parent, 0o700);
  const folder = mkdtempSync(join(parent, 's'));
  const bytes = Buffer.byteLength(join(folder, longestName));
  if (bytes <= mostPathBytes) return folder;
  removeSocketFolder(folder);
  throw new TunnelFailed(
    `the path of its tunnel's socket, in ${parent}, has ${bytes} bytes, and a system takes ${mostPathBytes}`,
    false,
  );
}

/** The last one takes the folder of all with it. */
export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(dirname(folder));
  } catch {
    // Another tunnel has its own there, or the shell was quicker.
  }
}
