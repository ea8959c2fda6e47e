/**
 * Prints the software bill of materials: every package that the npm package brings, with version,
 * hash and licence, in npm's CycloneDX form, and the bundled ones. The same commit gives the same
 * text: it has the commit's time and no serial number. Usage, from the project's folder: node
 * sbom.mjs
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPackages } from './bundled.mjs';

const read = file => JSON.parse(readFileSync(file, 'utf8'));
const run = (file, words, options = {}) => execFileSync(file, words, { encoding: 'utf8', ...options });

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-sbom-'));
try {
  // `npm sbom --omit dev` leaves out packages that a development package needs too, and names the
  // whole after its folder. So it reads a lockfile without development packages, in a folder with
  // our name.
  const { devDependencies: _, ...manifest } = read('package.json');
  const lock = read('package-lock.json');
  const inBundle = bundledPackages('.').map(found => componentOf(found, lock.packages[found.folder]));
  delete lock.packages[''].devDependencies;
  lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));
  const folder = join(scratch, manifest.name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const { serialNumber: __, ...bill } = JSON.parse(run('npm', words, { cwd: folder }));
  const committed = new Date(run('git', ['log', '-1', '--format=%cI']).trim());
  bill.metadata.timestamp = committed.toISOString();
  const named = new Set(bill.components.map(component => component['bom-ref']));
  const added = inBundle.filter(component => !named.has(component['bom-ref']));
  const refs = added.map(component => component['bom-ref']);
  bill.components.push(...added);
  bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref']).dependsOn.push(...refs);
  bill.dependencies.push(...refs.map(ref => ({ ref, dependsOn: [] })));
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}

/** In npm's form for a package inside another. */
function componentOf({ name, version, license, folder }, { integrity }) {
  const [algorithm, hash] = integrity.split(/-(.*)/s);
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [
      { name: 'cdx:npm:package:path', value: folder },
      { name: 'cdx:npm:package:bundled', value: 'true' },
    ],
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [{ license: { id: license } }],
  };
}
