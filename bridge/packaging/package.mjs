/**
 * Makes build/sallyport-VERSION.tgz, for npm and npx, from the output of `make build`. Its
 * package.json holds what a user's npm needs, and nothing about building: bundled packages aren't
 * fetched again, and nothing runs at install. Ends with the lines to type. Usage, from the
 * project's folder: node package.mjs
 */

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

const told = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'homepage',
  'repository',
  'bugs',
  'type',
  'mcpName',
  'engines',
  'bin',
  'dependencies',
  'optionalDependencies',
];

const into = 'build/package';
const project = JSON.parse(readFileSync('package.json', 'utf8'));
rmSync(into, { recursive: true, force: true });
mkdirSync(`${into}/build`, { recursive: true });
for (const folder of ['build/npm', 'build/bundle']) {
  // Maps are for developers; V8's compiled code fits one Node only.
  const isWanted = path => !/\.(map|compiled)$/.test(basename(path));
  cpSync(folder, `${into}/${folder}`, { recursive: true, filter: isWanted });
}
for (const file of ['README.md', 'LICENSE']) cpSync(file, `${into}/${file}`);
const published = Object.fromEntries(told.flatMap(key => (key in project ? [[key, project[key]]] : [])));
writeFileSync(`${into}/package.json`, `${JSON.stringify(published, null, 2)}\n`);
const words = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', resolve('build')];
const older = globSync('build/sallyport-*.tgz');
for (const file of older) rmSync(file);
const made = execFileSync('npm', words, { cwd: into, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
// Without the dot, npm takes it for a repository on GitHub.
const file = `./build/${made}`;
process.stdout.write(`build/${made} is what npm would publish. Install it, or try it without installing:
  npm install --global --ignore-scripts ${file}
  npx -y --ignore-scripts ${file} demo
`);
if (older.some(name => basename(name) !== made))
  process.stdout.write(
    `The file of another version is gone. Clients that were connected by npx start it: connect them again, with
  npx -y --ignore-scripts ${file} connect CLIENT --write
`,
  );
