/** The file that started the running command, by the path through which it was called. */

import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isSea } from 'node:sea';

/**
 * The command's script; a single executable is its own file. Of the executable only what was typed
 * is known, so it is looked for as a shell does.
 */
export function startedFile(): string {
  const typed = process.argv[1] ?? process.execPath;
  if (!isSea()) return typed;
  const folders = (process.env.PATH ?? '').split(':').filter(isAbsolute);
  const candidates = typed.includes('/') ? [typed] : folders.map(folder => join(folder, typed));
  return candidates.map(called).find(path => path !== null) ?? process.execPath;
}

/** Null if it is another file, or none. */
function called(path: string): string | null {
  try {
    return realpathSync(path) === process.execPath ? resolve(path) : null;
  } catch {
    return null;
  }
}
