/**
 * The daemons of a home, by their environment (Linux): a command line alone would be found in
 * another test's too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from '../../shared/process-alive.ts';

/**
 * @returns what lists their process ids. One that was listed once stays so until it is over: the
 *   kernel takes a process's memory, and with it environment and command line, before it closes its
 *   files, so that its port may be taken for a while longer.
 */
export function daemonsOf(home: string): () => number[] {
  const listed = new Set<number>();
  return () => {
    for (const pid of readdirSync('/proc').map(Number)) if (pid > 0 && isDaemonOf(home, pid)) listed.add(pid);
    for (const pid of listed) if (!isAlive(pid) && threadsOf(pid) <= 1) listed.delete(pid);
    return [...listed];
  };
}

/** Files are closed with the last of them, though the first be a zombie. */
function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function isDaemonOf(home: string, pid: number): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`SALLYPORT_HOME=${home}`) &&
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sallyportd')
    );
  } catch {
    // Ended while it was looked at, or another user's.
    return false;
  }
}
