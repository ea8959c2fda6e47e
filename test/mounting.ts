/** Small disks in memory, for tests of full ones. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param size as `mount` writes it: `8m`.
 * @returns true if mounting is allowed here.
 */
export function mountDisk(folder: string, size: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `mode=700,size=${size}`, 'none', folder]).status === 0;
}

/**
 * A file system that never answers: a FUSE mount whose program reads nothing.
 *
 * @returns what ends it, so that those who wait for it get an error; null if it can't be mounted.
 */
export async function mountHanging(folder: string): Promise<(() => void) | null> {
  const script =
    'exec 3<>/dev/fuse && mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none "$0" && echo ready && exec sleep 600';
  const child = spawn('sh', ['-c', script, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const isMounted = await new Promise(resolve => {
    child.stdout.once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
  });
  if (isMounted !== true) return null;
  return () => {
    child.kill('SIGKILL');
    unmountDisk(folder);
  };
}

export function unmountDisk(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}

/** The sentence to skip with, or null. */
export function mountingUnavailable(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-mount-test-'));
  const could = mountDisk(folder, '64k');
  if (could) unmountDisk(folder);
  rmSync(folder, { recursive: true, force: true });
  return could ? null : 'leave to mount';
}
