/** Runs a program of the system and waits for its end. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface ProgramResult {
  readonly stdout: string;
  /** Why it failed, in its own words on one line, without a full stop; null if it succeeded. */
  readonly problem: string | null;
}

export async function runProgram(
  file: string,
  words: readonly string[],
  options: { readonly timeout: number; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
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
