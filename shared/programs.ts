/**
 * Finds the programs that our programs start; they are bundled side by side (Makefile,
 * build/bundle), or in the single executable. Starts nothing.
 */

import { dirname, join } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { embeddedText } from './embedded.ts';
import { noDebugger } from './no-debugger.ts';

const here = fileURLToPath(import.meta.url);

/**
 * Tests that run from source, or from one compiled module, start the bundles in `build/`: people
 * run those.
 */
function bundlesFrom(file: string): string {
  if (file.endsWith('/shared/programs.ts')) return '../build/bundle';
  return file.endsWith('/shared/programs.js') ? '../bundle' : '.';
}

type ThreadProgram = 'classifier-worker' | 'store-worker' | 'sqlite-watchdog' | 'keychain-worker';
type ProcessProgram = 'keychain-worker' | 'sqlite-worker';

/** Its absolute path; in the executable, where it would be. */
export function programFile(program: ThreadProgram | ProcessProgram): string {
  // A module, because esbuild splits only modules (Makefile).
  const extension = program === 'classifier-worker' ? 'js' : 'cjs';
  return join(dirname(here), bundlesFrom(here), `${program}.${extension}`);
}

/** For `new Worker(source, options)`. */
export interface ProgramThread {
  readonly source: string | URL;
  readonly options: Pick<WorkerOptions, 'argv' | 'eval' | 'execArgv'>;
}

/** @param file of another program in its place, for tests. */
export function programThread(program: ThreadProgram, file?: string | URL): ProgramThread {
  if (file !== undefined || !isSea()) return { source: file ?? programFile(program), options: { execArgv: [] } };
  return { source: embeddedText('start'), options: { eval: true, argv: [program], execArgv: [] } };
}

/** For `spawn(executable, words, { argv0 })`. */
export interface ProgramCommand {
  readonly executable: string;
  readonly words: readonly string[];
  readonly argv0: string;
}

/** @param file of another program in its place, for tests. */
export function programCommand(program: ProcessProgram, file?: string): ProgramCommand {
  const executable = process.execPath;
  if (file === undefined && isSea()) return { executable, words: [], argv0: program };
  return { executable, words: [noDebugger, file ?? programFile(program)], argv0: executable };
}
