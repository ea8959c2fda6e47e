/** Small disks in memory, for tests of full ones. */

import { spawnSync } from 'node:child_process';
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
