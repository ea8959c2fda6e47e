/** Says which programs a machine lacks; for what needs no test runner. */

import { spawnSync } from 'node:child_process';

/** @param bring the command that installs them. @returns null, or what is missing, with that command. */
export function missingPrograms(names: readonly string[], bring: string): string | null {
  const missing = names.filter(name => spawnSync('which', [name]).status !== 0);
  return missing.length === 0 ? null : `no ${missing.join(', ')}; ${bring}`;
}
