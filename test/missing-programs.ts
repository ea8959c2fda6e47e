/**
 * Which programs a machine has, for code without a test runner. It starts none of them, since a
 * worker takes 10 ms to start a program.
 */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @param bring the command that installs them.
 * @returns null, or what is missing, with that command.
 */
export function missingPrograms(names: readonly string[], bring: string): string | null {
  const missing = names.filter(name => folderOf([name]) === null);
  return missing.length === 0 ? null : `no ${missing.join(', ')}; ${bring}`;
}

/**
 * @param elsewhere folders to search after those of PATH.
 * @returns the first that has all programs, or null.
 */
export function folderOf(names: readonly string[], elsewhere: readonly string[] = []): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...elsewhere].filter(folder => folder !== '');
  return folders.find(folder => names.every(name => isExecutable(join(folder, name)))) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
