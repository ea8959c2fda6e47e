/**
 * What to write for a Sallyport that npx runs. It is in npm's cache, which npm may empty, so its
 * paths are written nowhere. What is written instead is what npx was told: a name on a registry
 * only if a person typed it, since the name may be somebody else's.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, parsedJson } from './json.ts';

/**
 * @param path the real path of one of its programs.
 * @returns the package, as npx and npm take it; null if npx doesn't run it, or has it from a URL or
 *   a repository: the name says nothing of that one, and its path does.
 */
export function npxPackage(path: string): string | null {
  const [, folder] = /^(.*\/_npx\/[^/]+)\//.exec(path) ?? [];
  if (folder === undefined) return null;
  const listed = listedIn(join(folder, 'package.json'));
  if (listed === null) return null;
  if (listed.startsWith('file:')) return `file:${resolve(folder, listed.slice('file:'.length))}`;
  return listed.includes(':') ? null : 'sallyport';
}

/** npm lists there what it fetched for npx. */
function listedIn(file: string): string | null {
  try {
    const written = parsedJson(readFileSync(file, 'utf8'));
    const { dependencies } = isObject(written) ? written : {};
    return isObject(dependencies) && typeof dependencies.sallyport === 'string' ? dependencies.sallyport : null;
  } catch {
    return null;
  }
}

/** Starts the bridge on any machine with npm, which fetches the package if it has none. */
export function npxBridge(spec: string): { readonly command: string; readonly args: readonly string[] } {
  return { command: 'npx', args: ['-y', '--ignore-scripts', spec, 'mcp'] };
}

/** True for the arguments of such an entry, from whichever place it was. */
export function areNpxBridge(args: unknown): boolean {
  const spec = Array.isArray(args) ? args[2] : undefined;
  if (typeof spec !== 'string' || !/^(?:sallyport|file:\/.*\/sallyport-[\w.-]+\.tgz)$/.test(spec)) return false;
  return JSON.stringify(args) === JSON.stringify(npxBridge(spec).args);
}
