/**
 * `describe` and `test` for needs that a machine may lack. If one is missing they are skipped, and
 * their names say what is missing and how to get it, in the form that the reporter of skipped tests
 * reads.
 */

import { describe, test } from '@jest/globals';

export { missingPrograms } from './missing-programs.ts';

type Test = (name: string, run: () => void | Promise<void>, timeoutMilliseconds?: number) => void;
type Describe = (name: string, tests: () => void) => void;

/**
 * @param missing what is missing, with the command that installs it if there is one; null if
 *   nothing is.
 */
export function needs(missing: string | null): { readonly describe: Describe; readonly test: Test } {
  if (missing === null) return { describe, test };
  const named = (name: string) => `${name} (not tested: ${missing})`;
  return {
    describe: (name, tests) => describe.skip(named(name), tests),
    test: (name, run, timeoutMilliseconds) => test.skip(named(name), run, timeoutMilliseconds),
  };
}

export const needsLinux = needs(process.platform === 'linux' ? null : 'Linux only');
export const needsRoot = needs(process.getuid?.() === 0 ? null : 'run as root');
