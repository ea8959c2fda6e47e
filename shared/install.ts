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
  // fnm makes such a folder for one shell.
  const isKept = !folder.includes('/fnm_multishells/');
  return isSafe && isKept && realpathSync(beside) === realpathSync(real) ? beside : real;
}

/** The same as `bridgeBeside` for `sallyportd`. */
export function daemonBeside(script: string): string | null {
  return programBeside(script, 'sallyportd');
}

function programBeside(script: string, program: string): string | null {
  try {
    const folder = dirname(realpathSync(script));
    const path = places.map(place => join(folder, place, program)).find(isExecutable);
    return path === undefined ? null : lastingPath(path);
  } catch {
    return null;
  }
}

/** A path through which a package manager leads to whichever version is there. */
const lasting: readonly (readonly [RegExp, string])[] = [
  // Homebrew removes a version's folder after an upgrade.
  [/\/Cellar\/([^/]+)\/[^/]+\//, '/opt/$1/'],
  [/\/node_modules\/\.pnpm\/[^/]+\/node_modules\//, '/node_modules/'],
];

/** The same file by a path that stays at the next upgrade; that path itself if there is no such. */
export function lastingPath(path: string): string {
  const others = lasting.map(([versions, stays]) => path.replace(versions, stays)).filter(other => other !== path);
  return others.find(other => isSameFile(other, path)) ?? path;
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
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
