/** Runs a program of the system and waits for its end. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Ran {
  readonly stdout: string;
  /**
   * Why it could not, in its own words on one line, without their full stop; null where it could.
   */
  readonly problem: string | null;
}

export async function ran(
  file: string,
  words: readonly string[],
  options: { readonly timeout: number; readonly env?: NodeJS.ProcessEnv },
): Promise<Ran> {
  try {
    const { stdout } = await promisify(execFile)(file, [...words], options);
    return { stdout, problem: null };
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return { stdout: '', problem: `${file} is not installed` };
    const [line = ''] = stderr.trim().split('\n');
    return { stdout: '', problem: line.replace(/\.$/, '') || `${file} failed` };
  }
}
