/**
 * Prints the software bill of materials (CycloneDX 1.5): every package that the npm package brings,
 * and the bundled ones, with version, hash and licence. It reads package-lock.json and asks no npm:
 * `npm sbom` is missing before npm 9.5, and leaves out packages that a development package needs
 * too. The same commit gives the same text: it has the commit's time and no serial number. Usage,
 * from the project's folder: node sbom.mjs
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundledPackages } from './bundled.mjs';

const read = file => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json');
const { packages } = read('package-lock.json');
const brought = Object.entries(packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);
const components = new Map();
const dependencies = new Map();
for (const [folder, locked] of brought) {
  const component = componentOf(folder, locked);
  components.set(component['bom-ref'], component);
  dependencies.set(component['bom-ref'], neededBy(folder, locked));
}
const { devDependencies: _, ...shipped } = packages[''];
const needed = neededBy('', shipped);
for (const { folder } of bundledPackages('.', 'build/bundle', 'build')) {
  const component = componentOf(folder, packages[folder], true);
  const ref = component['bom-ref'];
  if (components.has(ref)) continue;
  components.set(ref, component);
  dependencies.set(ref, []);
  needed.push(ref);
}
const { name, version, description, homepage, license } = manifest;
const whole = {
  ...named(name, version),
  scope: 'required',
  description,
  externalReferences: [{ type: 'website', url: homepage }],
  licenses: licensed(license),
};
const committed = new Date(execFileSync('git', ['log', '-1', '--format=%cI'], { encoding: 'utf8' }).trim());
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { timestamp: committed.toISOString(), lifecycles: [{ phase: 'pre-build' }], component: whole },
  components: [...components.values()],
  dependencies: [[whole['bom-ref'], needed], ...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
};
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);

function componentOf(folder, { version, integrity, license, optional }, isBundled = false) {
  const [algorithm, hash] = integrity.split(/-(.*)/s);
  return {
    ...named(folder.split('node_modules/').at(-1), version),
    scope: optional ? 'optional' : 'required',
    properties: [
      { name: 'cdx:npm:package:path', value: folder },
      ...(isBundled ? [{ name: 'cdx:npm:package:bundled', value: 'true' }] : []),
    ],
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: licensed(license),
  };
}

function named(name, version) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl };
}

/** `id` is for one licence of SPDX's list; "MIT OR Apache-2.0" is an expression. */
function licensed(license) {
  return / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/**
 * @returns the references of what Node finds for a package in that folder. An optional one may be
 *   missing, and one for development isn't brought.
 */
function neededBy(folder, { dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap(name => {
    const found = foundFrom(folder, name);
    return found === undefined || found.dev === true ? [] : [`${name}@${found.version}`];
  });
}

function foundFrom(folder, name) {
  const found = packages[`${folder}${folder === '' ? '' : '/'}node_modules/${name}`];
  if (found !== undefined || folder === '') return found;
  return foundFrom(folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)), name);
}
