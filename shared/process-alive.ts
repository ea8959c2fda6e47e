/** Tells whether a process still runs. */

import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isUncollected(pid);
}

/** True for a zombie: where PID 1 doesn't reap, it still accepts signal 0. */
function isUncollected(pid: number): boolean {
  try {
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such file system here, or the process has gone: the signal's answer counts.
    return false;
  }
}
