/**
 * How the running `sallyport` was installed, and what its person types to have a newer one or to be
 * rid of it. Reads what lies beside it; runs nothing.
 */

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '../shared/client-configs.ts';
import { isObject, parsedJson } from '../shared/json.ts';
import { isWritable } from './users-file.ts';

export type Way =
  /** By npm or one like it; `source` is the package's file or URL as npm notes it. */
  | { readonly kind: 'npm'; readonly source: string | null; readonly removal: string }
  /** `folder` is in npm's cache. */
  | { readonly kind: 'npx'; readonly folder: string }
  | { readonly kind: 'brew' }
  | { readonly kind: 'deb' }
  | { readonly kind: 'image' }
  /** By `make install` or bridge/packaging/install.sh, into PREFIX. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly library: string; readonly mayRemove: boolean }
  | { readonly kind: 'clone'; readonly folder: string }
  | { readonly kind: 'app' }
  /** The executable, wherever it was copied to: its files in this folder may lie among others. */
  | { readonly kind: 'copied'; readonly files: readonly string[] };

/** By the folder that each keeps its global packages in. */
const removals: readonly (readonly [folder: RegExp, line: string])[] = [
  [/\/\.?pnpm\//, 'pnpm remove --global sallyport'],
  [/\/yarn\/global\//, 'yarn global remove sallyport'],
  [/\/\.bun\//, 'bun remove --global sallyport'],
];

/** @param script the path that started the running command. */
export function installedWay(script: string): Way {
  const path = realpathSync(script);
  if (path.includes('.app/Contents/')) return { kind: 'app' };
  if (path.includes('/Cellar/sallyport/')) return { kind: 'brew' };
  const [, cached] = /^(.*\/_npx\/[^/]+)\//.exec(path) ?? [];
  if (cached !== undefined) return { kind: 'npx', folder: cached };
  const [, packages] = /^(.*\/node_modules)\/sallyport\//.exec(path) ?? [];
  if (packages !== undefined) {
    const removal = removals.find(([folder]) => folder.test(packages))?.[1] ?? 'npm uninstall --global sallyport';
    return { kind: 'npm', source: sourceIn(join(packages, '.package-lock.json')), removal };
  }
  const folder = dirname(dirname(path));
  if (existsSync(join(folder, '.made-folders'))) {
    const prefix = dirname(dirname(folder));
    return { kind: 'prefix', prefix, library: folder, mayRemove: isWritable(dirname(folder)) && isWritable(folder) };
  }
  if (folder === '/usr/lib/sallyport')
    return { kind: existsSync('/usr/lib/systemd/user/sallyport.service') ? 'deb' : 'image' };
  const clone = dirname(folder);
  if (existsSync(join(clone, 'Makefile'))) return { kind: 'clone', folder: clone };
  const ours = ['sallyport', 'sallyportd', 'sallyport-mcp', 'keyring.node', 'manifest.json'];
  return { kind: 'copied', files: ours.map(name => join(dirname(path), name)).filter(existsSync) };
}

/** What to type for a newer one, once one is there. */
export function upgradeLine(way: Way): string {
  switch (way.kind) {
    case 'npm':
      return way.source?.startsWith('http')
        ? 'npm install --global --ignore-scripts sallyport@latest'
        : 'npm install --global --ignore-scripts FILE, with the file of the newer package';
    case 'npx':
      return 'npx -y --ignore-scripts file:FILE connect CLIENT --write, with the file of the newer package';
    case 'brew':
      return 'brew upgrade sallyport';
    case 'deb':
      return 'sudo apt install ./FILE, with the file of the newer package';
    case 'image':
      return 'load the newer image on the machine that runs this one, and start it with the same volume';
    case 'prefix':
      return `git pull && make install PREFIX=${shellWord(way.prefix)}, in the clone; or the newer install.sh`;
    case 'clone':
      return `cd ${shellWord(way.folder)} && git pull && make build`;
    case 'app':
      return 'put the newer Sallyport.app in the place of this one';
    case 'copied':
      return `put the newer files in the place of ${way.files.map(shellWord).join(' ')}`;
  }
}

/** What takes the program away. */
export function removalLine(way: Way): string {
  switch (way.kind) {
    case 'npm':
      return way.removal;
    case 'npx':
      return `rm -r ${shellWord(way.folder)}`;
    case 'brew':
      return 'brew uninstall sallyport';
    case 'deb':
      return 'sudo apt remove sallyport';
    case 'image':
      return 'remove the container and its image on the machine that runs them';
    case 'prefix':
      return `sudo sh ${shellWord(join(way.library, 'place.sh'))} remove ${shellWord(way.prefix)}`;
    case 'clone':
      return `cd ${shellWord(way.folder)} && make clean`;
    case 'copied':
      return `rm ${way.files.map(shellWord).join(' ')}`;
    case 'app':
      return 'move Sallyport.app to the Trash';
  }
}

function sourceIn(lock: string): string | null {
  try {
    const { packages } = parsedJson(readFileSync(lock, 'utf8')) as { packages?: Record<string, unknown> };
    const listed = packages?.['node_modules/sallyport'];
    return isObject(listed) && typeof listed.resolved === 'string' ? listed.resolved : null;
  } catch {
    return null;
  }
}
