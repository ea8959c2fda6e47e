/**
 * What Linux knows about a process and its children: descriptors, memory, and whether it is still
 * the same process.
 */

import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly descriptors: number;
  readonly megabytes: number;
}

/** A process id may be reused; its start time tells the two apart. */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt: string;
}

/** @throws if it has ended. */
export function factsOf(pid: number): ProcessFacts {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    megabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
  };
}

/** Its children, their children and so on. */
export function descendantsOf(pid: number): ProcessMark[] {
  const all = allProcesses();
  const found: ProcessMark[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children.map(child => ({ pid: child.pid, startedAt: child.startedAt })));
    parents = children.map(child => child.pid);
  }
  return found;
}

/** A zombie doesn't count as running. */
export function isRunning({ pid, startedAt }: ProcessMark): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.startedAt === startedAt && stat.state !== 'Z';
}

interface Stat extends ProcessMark {
  readonly parent: number;
  readonly state: string;
}

function allProcesses(): readonly Stat[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => statOf(Number(name)))
    .filter(stat => stat !== null);
}

/** proc_pid_stat(5): the command is in parentheses and may contain some itself. */
function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = '', ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), state, startedAt: more[17] ?? '' };
  } catch {
    return null;
  }
}
