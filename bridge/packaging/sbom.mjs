/**
 * Prints a software bill of materials (CycloneDX 1.5), with version, hash and licence of each
 * package. Of the npm package: every package that it brings, and the bundled ones. Of the
 * executable: what is bundled into it, the keychain's module, and the Node that runs this, with the
 * libraries in it. It reads package-lock.json and asks no npm: `npm sbom` is missing before npm
 * 9.5, and leaves out packages that a development package needs too. The same commit gives the same
 * text: it has the commit's time, or SOURCE_DATE_EPOCH (reproducible-builds.org), and no serial
 * number. Usage, from the project's folder: node sbom.mjs [EXECUTABLE WORK], the file and the
 * folder of executable.sh with its source maps.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { bundledPackages } from './bundled.mjs';

const [, , executable, work = 'build'] = process.argv;
const read = file => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json');
const { packages } = read('package-lock.json');
const keychain = globSync(['node_modules/@napi-rs/keyring', 'node_modules/@napi-rs/keyring-*']);
const isBrought = ([folder, { dev }]) =>
  executable === undefined ? folder !== '' && dev !== true : keychain.includes(folder);
const components = new Map();
const dependencies = new Map();
for (const [folder, locked] of Object.entries(packages).filter(isBrought)) {
  const component = componentOf(folder, locked);
  components.set(component['bom-ref'], component);
  dependencies.set(component['bom-ref'], neededBy(folder, locked));
}
const { devDependencies: _, ...shipped } = packages[''];
const needed = executable === undefined ? neededBy('', shipped) : [...components.keys()];
for (const { folder } of bundledPackages('.', 'build/bundle', work)) {
  const component = componentOf(folder, packages[folder], true);
  const ref = component['bom-ref'];
  if (components.has(ref)) continue;
  components.set(ref, component);
  dependencies.set(ref, []);
  needed.push(ref);
}
if (executable !== undefined) {
  const node = nodeItself();
  components.set(node['bom-ref'], node);
  needed.push(node['bom-ref']);
}
const { name, version, description, homepage, license } = manifest;
const whole = {
  ...named(name, version),
  scope: 'required',
  description,
  externalReferences: [{ type: 'website', url: homepage }],
  licenses: licensed(license),
  ...(executable === undefined ? {} : ofExecutable()),
};
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    timestamp: committed(),
    lifecycles: [{ phase: executable === undefined ? 'pre-build' : 'build' }],
    component: whole,
  },
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

/** Undefined for sources without their history. */
function committed() {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  if (seconds) return new Date(Number(seconds) * 1000).toISOString();
  try {
    const words = ['log', '-1', '--format=%cI'];
    const time = execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return new Date(time.trim()).toISOString();
  } catch {
    return undefined;
  }
}

function ofExecutable() {
  const content = createHash('sha256').update(readFileSync(executable)).digest('hex');
  const purl = `pkg:generic/${name}@${version}?arch=${process.arch}&os=${process.platform}`;
  return { type: 'application', purl, hashes: [{ alg: 'SHA-256', content }] };
}

/**
 * Node and its libraries; without the interfaces and tables of data that `process.versions` names.
 */
function nodeItself() {
  const { node, modules, napi, cldr, tz, unicode, ...libraries } = process.versions;
  const generic = (type, name, version) => {
    const purl = `pkg:generic/${name}@${version}`;
    return { 'bom-ref': purl, type, name, version, purl };
  };
  return {
    ...generic('platform', 'node', node),
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    components: Object.entries(libraries).map(library => generic('library', ...library)),
  };
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
