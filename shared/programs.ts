/**
 * Where the programs are that others of ours start: bundled beside each other (Makefile,
 * build/bundle). Starts nothing.
 */

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/**
 * Tests that run from source, or one compiled module, start the bundles in `build/`: those are what
 * people run.
 */
function bundlesFrom(file: string): string {
  if (file.endsWith('/shared/programs.ts')) return '../build/bundle';
  return file.endsWith('/shared/programs.js') ? '../bundle' : '.';
}

type Program = 'judging-worker' | 'keychain-worker' | 'store-worker' | 'sqlite-worker' | 'sqlite-watchdog';

/** Its absolute path. */
export function programFile(program: Program): string {
  // Modules, as esbuild splits those alone (Makefile).
  const extension = program === 'judging-worker' ? 'js' : 'cjs';
  return join(dirname(here), bundlesFrom(here), `${program}.${extension}`);
}
