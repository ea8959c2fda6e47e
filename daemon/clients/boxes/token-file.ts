/**
 * The file that holds a box's token, as `docker run --env-file` takes it. The token is kept nowhere
 * else. The file is written once, when the box is made. Nothing of ours reads it, so a lost one
 * can't be had again.
 */

import { closeSync, fchmodSync, fsyncSync, lstatSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tokenVariable } from '../../../shared/client-configs.ts';
import { folderProblem } from '../../../shared/private-files.ts';
import type { BoxCredential } from './bound-socket.ts';
import { type BoxFolders, prepareFolder, removeFolder } from './box-folder.ts';

/** @returns a clause on why it isn't there, or null. */
export async function writeToken(
  folders: BoxFolders,
  path: string,
  group: string | null,
  plaintext: string,
): Promise<string | null> {
  try {
    const problem = await prepareFolder(folders, path, group);
    if (problem !== null) return problem;
    const file = openSync(path, 'wx', 0o600);
    try {
      writeFileSync(file, `${tokenVariable}=${plaintext}\n`);
      fchmodSync(file, modeFor(group));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return fileProblem(path, group);
  } catch (error) {
    return `${path} can't be made (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The token's holder comes in by the port, and others close that to it. Here is only the file. */
export function tokenFileCredential(path: string, group: string | null): BoxCredential {
  return {
    problem: () => fileProblem(path, group),
    close: async isForGood => {
      if (isForGood) removeFolder(dirname(path));
    },
  };
}

function fileProblem(path: string, group: string | null): string | null {
  const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
  const file = lstatSync(path, { throwIfNoEntry: false });
  const anew = 'revoke the box and add it again';
  if (file === undefined) return `${path} is gone; ${anew}`;
  const isOwn =
    folderProblem(dirname(path)) === null &&
    file.isFile() &&
    file.uid === process.getuid?.() &&
    (group === null || file.gid === folder?.gid);
  if (!isOwn) return `${path} is another file than the one that was made; ${anew}`;
  const mode = file.mode & 0o777;
  return mode === modeFor(group) ? null : `${path} has mode ${mode.toString(8)}, not ${modeFor(group).toString(8)}`;
}

function modeFor(group: string | null): number {
  return group === null ? 0o600 : 0o640;
}
