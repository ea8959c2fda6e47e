/**
 * Lists the packages that esbuild put into our programs, whole or in part. The programs' source
 * maps name them, so packages that came with another package are included. Reads node_modules and
 * the output of `make build`.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Its authors built it into another package, which has their licence. */
const builtInto = { '@modelcontextprotocol/core-internal': '@modelcontextprotocol/server' };

/**
 * @param built the folders with the maps.
 * @returns `{ name, version, license, folder, text }` of each, sorted by name; `folder` is the one
 *   in the lock file.
 * @throws if one has no licence.
 */
export function bundledPackages(root, ...built) {
  const maps = built.flatMap(folder =>
    readdirSync(resolve(root, folder))
      .filter(name => name.endsWith('.map'))
      .map(name => resolve(root, folder, name)),
  );
  const folders = new Set(maps.flatMap(map => JSON.parse(readFileSync(map, 'utf8')).sources.flatMap(folderOf)));
  return [...folders].sort().map(folder => described(root, folder));

  function folderOf(source) {
    const names = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^./][^/]*)(?=\/)/g)].map(([, name]) => name);
    const last = names.at(-1);
    if (last === undefined) return [];
    const whole = `node_modules/${names.join('/node_modules/')}`;
    // A package bundled from others names their sources by paths on its authors' machine.
    return existsSync(join(root, whole)) ? whole : `node_modules/${builtInto[last] ?? last}`;
  }
}

const isReadme = /^readme/i;
const isLicence = /permission is hereby granted/i;

function described(root, folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const files = readdirSync(path).filter(file => /^(licen[cs]e|copying|notice)/i.test(file));
  const textOf = file => readFileSync(join(path, file), 'utf8').trim();
  if (files.length === 0)
    files.push(...readdirSync(path).filter(file => isReadme.test(file) && isLicence.test(textOf(file))));
  if (files.length === 0) throw new Error(`${folder} is in our programs and brings no licence.`);
  const text = files.map(textOf).join('\n\n');
  return { name, version, license, folder, text };
}
