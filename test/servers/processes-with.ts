/**
 * Finds processes of this machine by their arguments; without those that have ended and wait for
 * their parent.
 */

import { readdirSync, readFileSync } from 'node:fs';

/** Processes that were started by this name, without the shells that have it in a script. */
export function processesOf(program: string, ...words: readonly string[]): number[] {
  return processesWith(...words).filter(pid => argumentsOf(pid)[0] === program);
}

/**
 * @param words all must be among the arguments.
 * @returns the process ids.
 */
export function processesWith(...words: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter(pid => words.every(word => argumentsOf(pid).some(one => one.includes(word))));
}

function argumentsOf(pid: number): readonly string[] {
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return [];
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}
