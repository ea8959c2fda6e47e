/** What goes to others: the npm package as `npx` runs it, the MCP bundle, the registry's entry. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { Place, root } from './installed.ts';
import { needsOlderNode, olderNode } from './older-node.ts';

// It installs everything once more.
const { test: testIfWanted } = needs(process.env.SALLYPORT_TEST_INSTALL === '1' ? null : 'SALLYPORT_TEST_INSTALL=1');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.clean());

let made: Place;
let path: string;
let files: string[];
/** As a publisher would; `--ignore-scripts`, because `make` has built and a test must not do it again beside others. */
beforeAll(async () => {
  made = new Place();
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', made.folder];
  const [packed] = JSON.parse(await made.run('npm', words, { cwd: root }));
  path = join(made.folder, packed.filename);
  files = packed.files.map((file: { path: string }) => file.path);
});
afterAll(() => made.clean());

test('the package holds what runs, and no more', () => {
  const { bin } = json('package.json');
  expect(files).toEqual(
    expect.arrayContaining([...Object.values<string>(bin), 'README.md', 'LICENSE', 'package.json']),
  );
  const others = files.filter(file => !/^build\/bundle\/[^/]+\.c?js$|^build\/npm\//.test(file));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'build/bundle/manifest.json', 'package.json']);
  for (const command of Object.values<string>(bin)) {
    expect(readFileSync(join(root, command), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(readFileSync(join(root, command), 'utf8')).not.toContain(root);
  }
});

testIfWanted(
  'npx runs its commands from an empty folder',
  async () => {
    const empty = join(place.folder, 'empty');
    mkdirSync(empty);
    const env = {
      npm_config_cache: join(place.folder, 'cache'),
      npm_config_update_notifier: 'false',
    };
    const npx = ['exec', '--yes', '--package', path, '--'];
    await expect(place.run('npm', [...npx, 'sallyport', 'status'], { cwd: empty, env })).rejects.toMatchObject({
      code: 69,
    });
    const throughNpm = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
    expect(await place.serves(['npm', ...npx, 'sallyport-mcp'], throughNpm)).toMatchObject({ name: 'sallyport' });
    expect(place.daemonCommand()).toContain(env.npm_config_cache);
    // The registry's entry names a package, and clients run its command of the same name.
    expect(await place.serves(['npm', ...npx, 'sallyport', 'mcp'], throughNpm)).toMatchObject({ name: 'sallyport' });
    expect(await place.run('npm', [...npx, 'sallyport', 'status'], { cwd: empty, env })).toContain('is running');
  },
  400_000,
);

needsOlderNode.test(
  'the MCP bundle holds the bridge, which reaches a daemon that runs, on a client’s older Node too',
  async () => {
    const bundle = join(place.folder, 'sallyport.mcpb');
    await place.run('sh', ['bridge/packaging/mcpb.sh', 'build/bundle/sallyport-mcp.cjs', bundle], { cwd: root });
    const unpacked = join(place.folder, 'unpacked');
    await place.run('python3', ['-m', 'zipfile', '-e', bundle, unpacked]);
    const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      manifest_version: '0.3',
      name: 'sallyport',
      version: json('package.json').version,
    });
    // A PNG, as the manifest's format wants it.
    expect(readFileSync(join(unpacked, manifest.icon)).subarray(1, 4).toString()).toBe('PNG');
    const { entry_point: entry, mcp_config: started } = manifest.server;
    expect(started).toEqual({ command: 'node', args: [`\${__dirname}/${entry}`] });
    await place.run(join(root, 'build/bin/sallyport'), ['start']);
    expect(await place.serves([process.execPath, join(unpacked, entry)])).toMatchObject({ name: 'sallyport' });
    expect(await place.serves([olderNode(), join(unpacked, entry)])).toMatchObject({ name: 'sallyport' });
  },
  60_000,
);

test("the registry's entry and the package name each other", () => {
  const { name, version, mcpName } = json('package.json');
  const entry = json('bridge/packaging/server.json');
  expect(entry).toMatchObject({ name: mcpName, version });
  expect(entry.packages).toEqual([expect.objectContaining({ registryType: 'npm', identifier: name, version })]);
  expect(entry.description.length).toBeLessThanOrEqual(100);
});
