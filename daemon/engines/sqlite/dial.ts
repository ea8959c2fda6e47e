/**
 * Finds the file that a connection means right now, so a symbolic link, a hard link or a file moved
 * into place later is taken for what it is. Before a statement runs on such a file, the path is
 * checked again. Opens nothing.
 */

import { realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { FilesBusy, inDialTurn } from '../../file-turns.ts';
import type { Answer } from '../engine.ts';
import type { FileIdentity } from './child/protocol.ts';

/**
 * @returns a sentence on why this file must not be opened (one of Sallyport's own, spec §6); null
 *   if it may.
 */
export type RefuseFile = (realPath: string, device: bigint, inode: bigint) => string | null;

export async function identifyFile(filePath: string | null, refuseFile: RefuseFile): Promise<Answer<FileIdentity>> {
  if (filePath === null || !filePath.startsWith('/'))
    return unreachable('This SQLite connection has no absolute file path.');
  const found = await lookUp(filePath);
  if (typeof found === 'string') return unreachable(found);
  const { realPath, device, inode, born, isFile } = found;
  if (!isFile) return unreachable(`${filePath} is not a file.`);
  const refused = refusalOf(filePath, () => refuseFile(realPath, device, inode));
  if (refused !== null) return unreachable(refused);
  return {
    kind: 'done',
    value: { path: filePath, realPath, device: String(device), inode: String(inode), born: String(born) },
  };
}

/** Waits for the file system: only in the child, which can be killed. */
export function isStillThere({ path, realPath, device, inode, born }: FileIdentity): boolean {
  try {
    const found = statSync(path, { bigint: true });
    const isSame = String(found.ino) === inode && String(found.dev) === device && String(found.birthtimeNs) === born;
    return isSame && realpathSync.native(path) === realPath;
  } catch {
    return false;
  }
}

/** Looking takes a file descriptor, and there may be none. */
function refusalOf(filePath: string, check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    return `Whether ${filePath} is a file of Sallyport's own can't be seen (${codeOf(error)}).`;
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'null';
}

interface Found {
  readonly realPath: string;
  readonly device: bigint;
  readonly inode: bigint;
  readonly born: bigint;
  readonly isFile: boolean;
}

async function lookUp(filePath: string): Promise<Found | string> {
  try {
    // If the path changes in between, the child notices.
    const [realPath, found] = await inDialTurn(async () => [
      await realpath(filePath),
      await stat(filePath, { bigint: true }),
    ]);
    return { realPath, device: found.dev, inode: found.ino, born: found.birthtimeNs, isFile: found.isFile() };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return `The database file ${filePath} does not exist. Check the path of the connection.`;
    }
    return `The database file ${filePath} can't be reached (${error instanceof FilesBusy ? error.message : code}).`;
  }
}

function unreachable(message: string): { readonly kind: 'not_connected'; readonly message: string } {
  return { kind: 'not_connected', message };
}
