/** Memory and processor time of a server and all its children, on Linux. Null elsewhere. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { descendantsOf } from '../../../torture/process-facts.ts';

const ticksPerSecond =
  process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 1;

/** Counts shared memory once. */
export function residentMegabytes(pid: number): number | null {
  const kilobytes = sum(pid, each => {
    const [, kilobytes] = /^Pss: +(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0);
  });
  return kilobytes === null ? null : kilobytes / 1024;
}

/** The most that this process alone ever held, what it shares included (VmHWM). */
export function peakMegabytes(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}

/** Includes children that have ended, if their parent waited for them. */
export function processorMilliseconds(pid: number): number | null {
  const ticks = sum(pid, each => {
    const stat = readFileSync(`/proc/${each}/stat`, 'utf8');
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return utime + stime + cutime + cstime;
  });
  return ticks === null ? null : (ticks * 1000) / ticksPerSecond;
}

function sum(pid: number, of: (pid: number) => number): number | null {
  if (process.platform !== 'linux') return null;
  return [pid, ...descendantsOf(pid).map(child => child.pid)].reduce((total, each) => {
    try {
      return total + of(each);
    } catch {
      // It has ended since it was listed.
      return total;
    }
  }, 0);
}
