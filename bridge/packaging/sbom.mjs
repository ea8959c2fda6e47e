/**
 * Prints the software bill of materials: every package that the npm package brings with it, with its version, hash and licence, in
 * CycloneDX as npm writes it. The same commit gives the same text: the time is the commit's, and there is no serial number.
 * Usage, from the project's folder: node sbom.mjs
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const read = file => JSON.parse(readFileSync(file, 'utf8'));
const run = (file, words, options = {}) => execFileSync(file, words, { encoding: 'utf8', ...options });

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-sbom-'));
try {
  // `npm sbom --omit dev` leaves out what a development package needs as well (zod, hono), and names the whole after its folder: so it
  // reads a lockfile that has nothing else, in a folder of our name.
  const { devDependencies: _, ...manifest } = read('package.json');
  const lock = read('package-lock.json');
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
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}
