/** A folder whose disk never answers, as an NFS server that is gone or a program's own file system. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingPrograms } from '../needs.ts';

const program = fileURLToPath(new URL('hanging-folder.py', import.meta.url));

export function missingForHangingFolder(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/dev/fuse')) return 'needs root and /dev/fuse';
  return missingPrograms(['python3', 'umount'], 'apt-get install python3 mount');
}

/** @returns what ends it; whatever waits for it gets an error then. */
export async function hangFolder(folder: string): Promise<() => Promise<void>> {
  const mounted = spawn('python3', [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(mounted.stdout, 'data');
  return async () => {
    const ended = once(mounted, 'exit');
    mounted.kill('SIGKILL');
    await ended;
    execFileSync('umount', ['-l', folder]);
  };
}
