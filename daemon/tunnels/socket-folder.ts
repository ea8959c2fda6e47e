/**
 * A folder for one tunnel's sockets that only this user may enter, with a path short enough for a
 * socket's address.
 */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TunnelFailed } from './tunnel.ts';

/** Every system allows a little more. */
const mostPathBytes = 99;

/** @param longestName the longest name that it will hold. */
export function makeSocketFolder(parent: string, longestName: string): string {
  if (!existsSync(parent)) mkdirSync(parent, { mode: 0o700 });
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

/** The last one removes the folder of all. */
export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(dirname(folder));
  } catch {
    // Another tunnel has its own there, or the shell was faster.
  }
}
