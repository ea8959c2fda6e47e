/** Says whether a process still runs. */

import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isUncollected(pid);
}

/** A container whose first process collects nobody keeps the dead in its table, where they can be signalled like the living. */
function isUncollected(pid: number): boolean {
  try {
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No such file system here, or nobody there any more: what the signal said stands.
    return false;
  }
}
