/**
 * What others get: the npm package as npm and `npx` run it, the MCP bundle, the registry's entry.
 */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { folderOf, missingPrograms } from '../missing-programs.ts';
import { needs } from '../needs.ts';
import { Place, root, shell } from './installed.ts';
import { needsOlderNodeForBridge, olderNodeForBridge } from './older-node.ts';

// Each installs the package again from the registry.
const { test: testIfWanted } = needs(process.env.SALLYPORT_TEST_INSTALL === '1' ? null : 'SALLYPORT_TEST_INSTALL=1');
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const project = json(join(root, 'package.json'));

/** The MCP bundle is a zip. */
const noPython = missingPrograms(['python3'], 'apt-get install python3');

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.clean());

let made: Place;
/** The package, and the folder it was unpacked into. */
let path: string;
let unpacked: string;
/** What `make package` ends with. */
let lines: string[];
beforeAll(async () => {
  made = new Place();
  const words = [join(root, 'bridge/packaging/package.mjs')];
  [, ...lines] = (await made.run(process.execPath, words, { cwd: root })).trimEnd().split('\n');
  path = join(root, lines[0]?.split(' ').at(-1) ?? '');
  await made.run('tar', ['-xzf', path, '-C', made.folder]);
  unpacked = join(made.folder, 'package');
});
afterAll(() => made.clean());

test('the package holds what runs, and no more', () => {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  expect(files).toEqual(expect.arrayContaining(Object.values(project.bin)));
  const others = files.filter(file => !/^build\/bundle\/[^/]+\.c?js$|^build\/npm\//.test(file));
  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'build/bundle/THIRD-PARTY-NOTICES.txt',
    'build/bundle/manifest.json',
    'build/bundle/shop.sql',
    'package.json',
  ]);
  for (const command of Object.values<string>(project.bin)) {
    const text = readFileSync(join(unpacked, command), 'utf8');
    expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(text).not.toContain(root);
  }
});

test('its package.json is for people who install it: nothing to build, to test or to run at the installation', () => {
  const published = json(join(unpacked, 'package.json'));
  const { name, version, bin, mcpName, engines, dependencies, optionalDependencies } = project;
  expect(published).toMatchObject({ name, version, bin, mcpName, engines, dependencies, optionalDependencies });
  expect(published).toMatchObject({
    keywords: expect.arrayContaining(['mcp', 'database']),
    homepage: project.homepage,
  });
  for (const ours of ['private', 'devDependencies', 'scripts', 'jest', 'overrides', 'allowScripts', 'files'])
    expect(published).not.toHaveProperty(ours);
});

test('it depends on what the bundle leaves out, and bundled code has its licence beside it', () => {
  const external = /^PACKAGES := (.*)$/m.exec(readFileSync(join(root, 'Makefile'), 'utf8'))?.[1]?.split(' ') ?? [];
  const { dependencies, optionalDependencies } = json(join(unpacked, 'package.json'));
  expect(Object.keys({ ...dependencies, ...optionalDependencies }).sort()).toEqual(external.toSorted());
  const bundle = join(unpacked, 'build/bundle');
  const notices = readFileSync(join(bundle, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const code = readdirSync(bundle).map(name => readFileSync(join(bundle, name), 'latin1'));
  const names = code.flatMap(text =>
    [...text.matchAll(/^\/\/ node_modules\/((?:@[\w.-]+\/)?[\w.-]+)/gm)].map(([, name]) => name),
  );
  expect(new Set(names).size).toBeGreaterThan(20);
  const without = [...new Set(names)].filter(name => !notices.includes(`\n${name} `));
  expect(without).toEqual([]);
  for (const name of ['hono', 'zod', 'knex']) expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
  expect(notices.match(/permission is hereby granted/gi)?.length).toBeGreaterThan(20);
});

/** A machine with Node and npm but no compiler: only what npm itself starts. */
function bare(): { readonly PATH: string; readonly HOME: string } {
  const bin = join(place.folder, 'bin');
  mkdirSync(bin);
  for (const name of ['sh', 'env', 'npm', 'npx']) symlinkSync(join(folderOf([name]) ?? '', name), join(bin, name));
  symlinkSync(process.execPath, join(bin, 'node'));
  return { PATH: bin, HOME: join(place.folder, 'user') };
}

const quiet = () => ({
  npm_config_cache: join(place.folder, 'cache'),
  npm_config_update_notifier: 'false',
  // The settings that lead this machine's npm to its registry.
  npm_config_ignore_scripts: 'true',
  npm_config_userconfig: join(shell.HOME, '.npmrc'),
  npm_config_globalconfig: process.env.npm_config_globalconfig,
  NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
});

testIfWanted(
  'npm installs it without a script and without a compiler; from nothing, two commands answer a question',
  async () => {
    const prefix = join(place.folder, 'prefix');
    const env = { ...bare(), ...quiet() };
    const [, typed = ''] = /^(npm install .*)$/m.exec(readFileSync(join(root, 'docs/guide.md'), 'utf8')) ?? [];
    for (const line of [lines[0]?.trim() ?? '', typed])
      await place.run('sh', ['-c', line], { cwd: root, env: { ...env, npm_config_prefix: prefix } });
    expect(lines[0]?.trim().replace(project.version, '*')).toBe(typed);
    const packages = readdirSync(join(prefix, 'lib/node_modules/sallyport/node_modules'));
    expect(packages.length).toBeLessThan(40);
    const sallyport = (...words: string[]) => place.run(join(prefix, 'bin/sallyport'), words, { env });
    const said = await sallyport('demo');
    const [, question = ''] = /query Demo '(.*)'$/m.exec(said) ?? [];
    expect(await sallyport('query', 'Demo', question)).toMatch(/^city +customers\n(.*\d+\n){5}$/);
    expect(await sallyport('connect', 'cursor')).toContain(join(prefix, 'bin/sallyport-mcp'));
  },
  200_000,
);

testIfWanted(
  'npx runs its commands from an empty folder, and tells clients to start npx',
  async () => {
    const empty = join(place.folder, 'empty');
    mkdirSync(empty);
    const env = { ...bare(), ...quiet() };
    const npx = ['exec', '--yes', '--package', path, '--'];
    const sallyport = (...words: string[]) => place.run('npm', [...npx, 'sallyport', ...words], { cwd: empty, env });
    await expect(sallyport('status')).rejects.toMatchObject({ code: 69 });
    expect(lines[1]?.trim().replace(project.version, '*')).toBe(
      /^npx .*$/m.exec(readFileSync(join(root, 'docs/guide.md'), 'utf8'))?.[0],
    );
    // As it is printed, where it is printed.
    const demo = await place.run('sh', ['-c', lines[1]?.trim() ?? ''], { cwd: root, env });
    expect(demo).toContain('The demo database is ready');
    const npxOfFile = `npx -y --ignore-scripts file:${path}`;
    expect(await sallyport('demo')).toContain(`\n  ${npxOfFile} query Demo '`);
    expect(place.daemonCommand()).toContain(env.npm_config_cache);
    expect(await sallyport('query', 'Demo', 'SELECT 6 * 7 AS answer')).toBe('answer\n42\n');
    // The registry's entry names a package, and clients run its command of the same name.
    for (const command of [['sallyport-mcp'], ['sallyport', 'mcp']])
      expect(await place.serves(['npm', ...npx, ...command], env)).toMatchObject({ name: 'sallyport' });

    mkdirSync(join(env.HOME, '.cursor'), { recursive: true });
    const file = join(env.HOME, '.cursor/mcp.json');
    writeFileSync(file, '{"mcpServers":{"sallyport":{"command":"/gone/sallyport-mcp"}}}');
    await sallyport('connect', 'cursor', '--write');
    const { command, args } = json(file).mcpServers.sallyport;
    expect([command, ...args].join(' ')).toBe(`${npxOfFile} mcp`);
    expect(await place.serves([command, ...args], env)).toMatchObject({ name: 'sallyport' });
    const again = await sallyport('connect', 'cursor', '--write');
    expect(again).toContain('has Sallyport already');
    expect(again).not.toContain('also sets');
    await expect(sallyport('service', 'install')).rejects.toMatchObject({
      stderr: expect.stringContaining(`npm install --global --ignore-scripts file:${path}`),
    });
    const [, removal = ''] = /Now the program itself: (rm -r .*\/_npx\/\w+)\n/.exec(await sallyport('uninstall')) ?? [];
    expect(removal).not.toBe('');
    await place.run('sh', ['-c', removal]);
    expect(readdirSync(join(env.npm_config_cache, '_npx'))).not.toContain(removal.split('/').at(-1));
  },
  200_000,
);

(noPython === null ? needsOlderNodeForBridge : needs(noPython)).test(
  'the MCP bundle holds the bridge, which reaches a running daemon, on a client’s older Node too',
  async () => {
    const bundle = join(place.folder, 'sallyport.mcpb');
    await place.run('sh', ['bridge/packaging/mcpb.sh', 'build/bundle/sallyport-mcp.cjs', bundle], { cwd: root });
    const unpacked = join(place.folder, 'unpacked');
    await place.run('python3', ['-m', 'zipfile', '-e', bundle, unpacked]);
    const manifest = json(join(unpacked, 'manifest.json'));
    expect(manifest).toMatchObject({
      manifest_version: '0.3',
      name: 'sallyport',
      version: project.version,
    });
    // A PNG, as the manifest's format requires.
    expect(readFileSync(join(unpacked, manifest.icon)).subarray(1, 4).toString()).toBe('PNG');
    const { entry_point: entry, mcp_config: started } = manifest.server;
    expect(started).toEqual({ command: 'node', args: [`\${__dirname}/${entry}`] });
    await place.run(join(root, 'build/bin/sallyport'), ['start']);
    expect(await place.serves([process.execPath, join(unpacked, entry)])).toMatchObject({ name: 'sallyport' });
    expect(await place.serves([olderNodeForBridge(), join(unpacked, entry)])).toMatchObject({ name: 'sallyport' });
  },
  60_000,
);

test("the registry's entry and the package name each other", () => {
  const { name, version, mcpName } = project;
  const entry = json(join(root, 'bridge/packaging/server.json'));
  expect(entry).toMatchObject({ name: mcpName, version });
  expect(entry.packages).toEqual([expect.objectContaining({ registryType: 'npm', identifier: name, version })]);
  expect(entry.description.length).toBeLessThanOrEqual(100);
});
