/**
 * Finds the other commands of this install. Follows links, so an install through a symbolic link is
 * found.
 */

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** build/bundle/sallyport.js has its commands in build/bin. */
const places = ['.', '../bin'];

/**
 * The real path of `sallyport-mcp`, for clients' configurations; null if this install has none.
 * @param script the path that started the running command.
 */
export function bridgeBeside(script: string): string | null {
  return programBeside(script, 'sallyport-mcp');
}

/**
 * The same by the path through which the running command was called, for clients' files: nvm, pnpm
 * and Homebrew keep that path when the folder of a version goes.
 */
export function bridgeCalled(script: string): string | null {
  const real = bridgeBeside(script);
  const folder = dirname(script);
  const beside = join(folder, 'sallyport-mcp');
  if (real === null || !isAbsolute(script) || !isExecutable(beside)) return real;
  // Where anybody may write, somebody else could turn the link.
  const isSafe = (statSync(folder).mode & 0o002) === 0;
  return isSafe && realpathSync(beside) === realpathSync(real) ? beside : real;
}

/** The same for `sallyportd`. */
export function daemonBeside(script: string): string | null {
  return programBeside(script, 'sallyportd');
}

function programBeside(script: string, program: string): string | null {
  try {
    const folder = dirname(realpathSync(script));
    return places.map(place => join(folder, place, program)).find(isExecutable) ?? null;
  } catch {
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
