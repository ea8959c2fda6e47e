/** Says whether a process still runs. */

import { readFileSync } from 'node:fs';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // Ended, but not yet taken note of by its parent: in a container there may be none who ever does.
  return processState(pid) !== 'Z';
}

/** Linux only; null elsewhere. */
function processState(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2, line.lastIndexOf(')') + 3);
  } catch {
    return null;
  }
}
