/**
 * Which SQLite children, of this test or another process, are computing now: found by the processor
 * time they use.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Used {
  readonly pid: number;
  /** Hundredths of a second on Linux. */
  readonly ticks: number;
  readonly isHalted: boolean;
}

/** Linux only; elsewhere the result is empty. */
export async function busyChildren(parent = process.pid): Promise<readonly number[]> {
  const before = new Map((await sqliteChildren(parent)).map(({ pid, ticks }) => [pid, ticks]));
  // Long enough for each to get its turn on a busy machine.
  await wait(300);
  const after = await sqliteChildren(parent);
  return after.filter(({ pid, ticks }) => ticks - (before.get(pid) ?? ticks) >= 2).map(({ pid }) => pid);
}

/**
 * A halted child stays in its statement as long as it may and uses no processor time.
 * @param child one of `sqliteChildren`. Halting a child before it runs its program also halts its
 *   parent, which waits for that.
 */
export function halt(child: number): void {
  try {
    process.kill(child, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function sqliteChildren(parent = process.pid): Promise<readonly Used[]> {
  const entries = process.platform === 'linux' ? readdirSync('/proc') : [];
  const found = entries.filter(name => /^\d+$/.test(name)).map(name => usedBy(Number(name), parent));
  return found.filter(used => used !== null);
}

/**
 * Reads files of all processes at each look. A synchronous read takes no time; an awaited one takes
 * ten times as long.
 */
function usedBy(pid: number, parent: number): Used | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in parentheses: state, parent, …; the 12th and 13th are the used time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[1]) !== parent || fields[0] === 'Z') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!command.includes('sqlite-worker.')) return null;
    return { pid, ticks: Number(fields[11]) + Number(fields[12]), isHalted: fields[0] === 'T' };
  } catch {
    // It ended during the look.
    return null;
  }
}
