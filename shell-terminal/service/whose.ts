/**
 * Whose program starts or runs Sallyport here: two installs may serve one home, and taking one away
 * leaves what is the other's.
 */

import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { runProgram } from '../run-program.ts';

type Started = { readonly kind: 'own' | 'none' } | { readonly kind: 'another' | 'gone'; readonly program: string };

/**
 * @param words of a command that starts `program`.
 * @param own this install's program of that name; null if it has none.
 */
export function startedBy(words: readonly string[], program: 'sallyport' | 'sallyportd', own: string | null): Started {
  const started = words.find(word => isAbsolute(word) && basename(word) === program);
  if (started === undefined) return { kind: 'none' };
  const real = realOf(started);
  if (real === null) return { kind: 'gone', program: started };
  return own !== null && real === realOf(own) ? { kind: 'own' } : { kind: 'another', program: started };
}

/** The path of another install's program that they start; null if it is this one's, or is gone. */
export function anothers(...started: Parameters<typeof startedBy>): string | null {
  const found = startedBy(...started);
  return found.kind === 'another' ? found.program : null;
}

/** What that process runs, and its command; empty if the system doesn't tell. */
export async function wordsOfProcess(pid: number): Promise<readonly string[]> {
  if (process.platform !== 'linux') {
    const told = await Promise.all(['comm=', 'args='].map(column => ps(column, pid)));
    const [file = '', command = ''] = told;
    return [file, ...command.split(' ')];
  }
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return [readlinkSync(`/proc/${pid}/exe`), ...command];
  } catch {
    return [];
  }
}

async function ps(column: string, pid: number): Promise<string> {
  const { stdout } = await runProgram('ps', ['-ww', '-o', column, '-p', String(pid)], { timeout: 2_000 });
  return stdout.trim();
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
