/**
 * Where this install has its other commands. Links are followed, so that an install by symbolic
 * link is found.
 */

import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Run as build/bundle/sallyport.js, it has the commands in build/bin. */
const places = ['.', '../bin'];

/**
 * The real path of `sallyport-mcp`, which clients are configured with; null where this install has
 * none.
 * @param script the path the running command was started by.
 */
export function bridgeBeside(script: string): string | null {
  // In Sallyport.app, whose code is under Contents/Resources/sallyport, it is in Contents/MacOS.
  return programBeside(script, 'sallyport-mcp', [...places, '../../../MacOS']);
}

/** The same of `sallyportd`. */
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
