/**
 * Which SQLite children, of this test or another process, are computing right now, told by the
 * processor time they use.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface Used {
  readonly pid: number;
  /** Hundredths of a second on Linux. */
  readonly ticks: number;
  readonly isHalted: boolean;
}

/** Linux only; elsewhere there is no such list and the answer is empty. */
export async function busyChildren(parent = process.pid): Promise<readonly number[]> {
  const before = new Map((await sqliteChildren(parent)).map(({ pid, ticks }) => [pid, ticks]));
  // Long enough for each to have its turn on a busy machine.
  await wait(300);
  const after = await sqliteChildren(parent);
  return after.filter(({ pid, ticks }) => ticks - (before.get(pid) ?? ticks) >= 2).map(({ pid }) => pid);
}

/**
 * Halted, a child that is in a statement stays in it for as long as it may, and takes no processor
 * from what else runs.
 * @param child one of `sqliteChildren`: whoever halts a child before it runs its program halts its
 * parent, which waits for that.
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
 * Each process of the machine is read at each look: these files take no time themselves, and a read
 * that is waited for takes ten times as long.
 */
function usedBy(pid: number, parent: number): Used | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in parentheses: state, parent, …, and as 12th and 13th the time used.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[1]) !== parent || fields[0] === 'Z') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!command.includes('sqlite-worker.')) return null;
    return { pid, ticks: Number(fields[11]) + Number(fields[12]), isHalted: fields[0] === 'T' };
  } catch {
    // It ended while we looked.
    return null;
  }
}
