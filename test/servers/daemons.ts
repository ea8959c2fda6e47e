/**
 * The daemons of a home, found by their environment (Linux); the command line alone would match
 * another test's daemons too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from '../../shared/process-alive.ts';

/**
 * @returns a function that lists their process ids. A listed process stays on the list until it is
 *   completely gone. The kernel frees a process's memory, with its environment and command line,
 *   before it closes its files, so its port may stay taken a while longer.
 */
export function daemonsOf(home: string): () => number[] {
  const listed = new Set<number>();
  return () => {
    for (const pid of readdirSync('/proc').map(Number)) if (pid > 0 && isDaemonOf(home, pid)) listed.add(pid);
    for (const pid of listed) if (!isAlive(pid) && threadsOf(pid) <= 1) listed.delete(pid);
    return [...listed];
  };
}

/** Sends a signal to each that still runs: one that found its place taken may have ended by itself. */
export function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The last thread closes the files, even if the first one is a zombie. */
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
    // It ended during the look, or belongs to another user.
    return false;
  }
}
