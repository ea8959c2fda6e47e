/**
 * Finds the other commands of this install. Follows links, so an install through a symbolic link is
 * found.
 */

import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** build/bundle/sallyport.js has its commands in build/bin. */
const places = ['.', '../bin'];

/**
 * The real path of `sallyport-mcp`, for clients' configurations; null if this install has none.
 * @param script the path that started the running command.
 */
export function bridgeBeside(script: string): string | null {
  // Sallyport.app has its code in Contents/Resources/sallyport, and this in Contents/MacOS.
  return programBeside(script, 'sallyport-mcp', [...places, '../../../MacOS']);
}

/** The same for `sallyportd`. */
export function daemonBeside(script: string): string | null {
  return programBeside(script, 'sallyportd', places);
}

function programBeside(script: string, program: string, from: readonly string[]): string | null {
  try {
    const folder = dirname(realpathSync(script));
    return from.map(place => join(folder, place, program)).find(isExecutable) ?? null;
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
