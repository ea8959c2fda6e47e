/**
 * Sends SIGSTOP and returns only when no thread runs any more: until one has taken the signal, the
 * others may still answer on a busy machine.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';

const runs = (pid: number): boolean => {
  try {
    const tasks = `/proc/${pid}/task`;
    return readdirSync(tasks).some(task => !/\) [TtZX] /.test(readFileSync(`${tasks}/${task}/stat`, 'latin1')));
  } catch {
    return false; // It has ended.
  }
};

export function stopProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGSTOP');
    } catch {
      // A session that has ended since it was listed.
    }
  }
  if (!existsSync('/proc/self/task')) return;
  const until = Date.now() + 5_000;
  while (pids.some(runs) && Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
