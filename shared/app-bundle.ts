/**
 * Tells whether this daemon belongs to Sallyport.app, so that other programs of the bundle depend
 * on it. Only macOS has such bundles.
 */

import { isSea } from 'node:sea';

/** @returns the bundle around `program`, an absolute path. */
export function appAround(platform: NodeJS.Platform, program: string): string | null {
  const [, app] = /^(\/.+\.app)\/Contents\//.exec(program) ?? [];
  return platform === 'darwin' && app !== undefined ? app : null;
}

/**
 * Whether this is the executable that macOS's keychain trusts (start-keychain.ts). It knows that
 * one by its signature, so a copy outside of the app, too. Elsewhere the bundle's form stands for
 * macOS, so that tests can try it on each system.
 */
export function asksKeychainItself(
  platform: NodeJS.Platform = process.platform,
  program = process.execPath,
  isExecutable = isSea(),
): boolean {
  return isExecutable && (platform === 'darwin' || appAround('darwin', program) !== null);
}
