/**
 * `describe` and `test` for what a machine may lack. Where it is missing they are skipped, and their names say what is missing and how to
 * get it, in the form that the reporter of skipped tests reads.
 */

import { spawnSync } from 'node:child_process';
import { describe, test } from '@jest/globals';

type Test = (name: string, run: () => void | Promise<void>, timeoutMilliseconds?: number) => void;
type Describe = (name: string, tests: () => void) => void;

/** @param missing null where nothing is, else what is missing, with the command that brings it where there is one. */
export function needs(missing: string | null): { readonly describe: Describe; readonly test: Test } {
  if (missing === null) return { describe, test };
  const named = (name: string) => `${name} (not tested: ${missing})`;
  return {
    describe: (name, tests) => describe.skip(named(name), tests),
    test: (name, run, timeoutMilliseconds) => test.skip(named(name), run, timeoutMilliseconds),
  };
}

/** @param bring the command that installs them. */
export function missingPrograms(names: readonly string[], bring: string): string | null {
  const missing = names.filter(name => spawnSync('which', [name]).status !== 0);
  return missing.length === 0 ? null : `no ${missing.join(', ')}; ${bring}`;
}

export const needsLinux = needs(process.platform === 'linux' ? null : 'Linux only');
export const needsRoot = needs(process.getuid?.() === 0 ? null : 'run as root');
