/**
 * Finds the programs that our programs start; they are bundled side by side (Makefile,
 * build/bundle). Starts nothing.
 */

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/**
 * Tests that run from source, or from one compiled module, start the bundles in `build/`: people
 * run those.
 */
function bundlesFrom(file: string): string {
  if (file.endsWith('/shared/programs.ts')) return '../build/bundle';
  return file.endsWith('/shared/programs.js') ? '../bundle' : '.';
}

type Program = 'classifier-worker' | 'keychain-worker' | 'store-worker' | 'sqlite-worker' | 'sqlite-watchdog';

/** Its absolute path. */
export function programFile(program: Program): string {
  // A module, because esbuild splits only modules (Makefile).
  const extension = program === 'classifier-worker' ? 'js' : 'cjs';
  return join(dirname(here), bundlesFrom(here), `${program}.${extension}`);
}
