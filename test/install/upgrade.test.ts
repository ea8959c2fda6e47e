/**
 * `sallyport upgrade`, and what `sallyport uninstall` names at its end, by each way of installation.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { installedWay, removalLine, upgradeLine } from '../../shell-terminal/installed-way.ts';
import { missingPrograms, needs } from '../needs.ts';
import { Place, root } from './installed.ts';

let place: Place;
beforeAll(() => {
  place = new Place();
});
afterAll(() => place.clean());

function file(path: string, text = ''): string {
  const whole = join(place.folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

test('each way is told by what lies beside the program', () => {
  const linked = join(place.folder, 'linked');
  symlinkSync(file('usr/lib/sallyport/bin/sallyport'), linked);
  file('usr/lib/sallyport/.made-folders');
  const library = join(place.folder, 'usr/lib/sallyport');
  expect(installedWay(linked)).toEqual({ kind: 'prefix', prefix: join(place.folder, 'usr'), library, mayRemove: true });
  file('clone/Makefile');
  expect(installedWay(file('clone/build/bin/sallyport'))).toEqual({
    kind: 'clone',
    folder: join(place.folder, 'clone'),
  });
  file('copied/mine');
  // Never the folder: it may hold a person's other things.
  expect(installedWay(file('copied/sallyport'))).toEqual({
    kind: 'copied',
    files: [join(place.folder, 'copied/sallyport')],
  });
  expect(removalLine({ kind: 'clone', folder: '/home/ada/clone' })).toBe('cd /home/ada/clone && make clean');
  expect(installedWay(file('.npm/_npx/1/node_modules/sallyport/build/npm/sallyport'))).toEqual({
    kind: 'npx',
    folder: join(place.folder, '.npm/_npx/1'),
  });
  expect(installedWay(file('Sallyport.app/Contents/Resources/sallyport/bin/sallyport'))).toEqual({ kind: 'app' });
  expect(installedWay(file('opt/Cellar/sallyport/0.1.0/libexec/bin/sallyport'))).toEqual({ kind: 'brew' });
  const byNpm = file('lib/node_modules/sallyport/build/npm/sallyport');
  expect(installedWay(byNpm)).toMatchObject({ kind: 'npm', source: null });
  const packages = { 'node_modules/sallyport': { resolved: 'file:../x.tgz' } };
  file('lib/node_modules/.package-lock.json', JSON.stringify({ packages }));
  expect(installedWay(byNpm)).toMatchObject({ kind: 'npm', source: 'file:../x.tgz' });
});

test.each([
  ['lib', 'npm uninstall --global sallyport'],
  ['.nvm/versions/node/v24.15.0/lib', 'npm uninstall --global sallyport'],
  ['.local/share/pnpm/global/5/node_modules/.pnpm/sallyport@0.1.0', 'pnpm remove --global sallyport'],
  ['Library/pnpm/store/v11/links/@/sallyport/0.1.0/a1', 'pnpm remove --global sallyport'],
  ['.config/yarn/global', 'yarn global remove sallyport'],
  ['.bun/install/global', 'bun remove --global sallyport'],
])('a package in %s goes by: %s', (folder, line) => {
  expect(removalLine(installedWay(file(`${folder}/node_modules/sallyport/build/npm/sallyport`)))).toBe(line);
});

test('each way has lines to type, and their paths are quoted', () => {
  const prefix = "/home/o'neil/my programs";
  const way = { kind: 'prefix', prefix, library: `${prefix}/lib/sallyport`, mayRemove: false } as const;
  expect(removalLine(way)).toBe(
    `sudo sh '/home/o'\\''neil/my programs/lib/sallyport/place.sh' remove '/home/o'\\''neil/my programs'`,
  );
  expect(upgradeLine(way)).toContain(`make install PREFIX='/home/o'\\''neil/my programs'`);
  expect(removalLine({ kind: 'deb' })).toBe('sudo apt remove sallyport');
  expect(upgradeLine({ kind: 'npm', source: 'file:x.tgz', removal: '' })).not.toContain('sallyport@');
});

needs(missingPrograms(['npm'], 'apt-get install npm')).describe('by npm', () => {
  let server: Server;
  let asked = 0;
  let latest = version;
  let folder: string;
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-upgrade-')));
    const installed = join(folder, 'lib/node_modules/sallyport');
    for (const part of ['build/npm', 'build/bundle'])
      cpSync(join(root, part), join(installed, part), { recursive: true });
    server = createServer((request, response) => {
      asked += 1;
      const versions = {
        [latest]: { name: 'sallyport', version: latest, dist: { tarball: 'http://127.0.0.1/', shasum: '' } },
      };
      if (request.url !== '/sallyport') return void response.writeHead(404).end();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'sallyport', 'dist-tags': { latest }, versions }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const registry = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  async function upgrade(resolved: string, from: string) {
    const packages = { 'node_modules/sallyport': { resolved } };
    writeFileSync(join(folder, 'lib/node_modules/.package-lock.json'), JSON.stringify({ packages }));
    const env = {
      npm_config_registry: from,
      npm_config_cache: join(folder, 'cache'),
      npm_config_update_notifier: 'false',
      HOME: folder,
    };
    const words = [join(folder, 'lib/node_modules/sallyport/build/npm/sallyport'), 'upgrade', '--json'];
    return JSON.parse(await place.run(process.execPath, words, { env }));
  }

  test('from a registry it is asked, and named are the newer one and the line; without it, that nobody knows', async () => {
    const from = registry();
    expect(await upgrade(`${from}sallyport.tgz`, from)).toMatchObject({
      installed: 'npm',
      newer: null,
      says: 'npm has no newer one.',
    });
    latest = '99.0.0';
    rmSync(join(folder, 'cache'), { recursive: true, force: true });
    expect(await upgrade(`${from}sallyport.tgz`, from)).toMatchObject({
      newer: '99.0.0',
      says: 'npm has 99.0.0.',
      type: 'npm install --global --ignore-scripts sallyport@latest',
    });
    rmSync(join(folder, 'cache'), { recursive: true, force: true });
    expect(await upgrade(`${from}sallyport.tgz`, 'http://127.0.0.1:9/')).toMatchObject({
      newer: null,
      says: expect.stringMatching(/^npm could not ask its registry \(.+\), so nobody knows/),
    });
  }, 60_000);

  test('from a file, no registry hears of it: the name there may be a stranger’s', async () => {
    const before = asked;
    expect(await upgrade('file:../../sallyport.tgz', registry())).toMatchObject({
      newer: null,
      type: expect.stringContaining('FILE'),
    });
    expect(asked).toBe(before);
  }, 60_000);
});

test('in a clone it names git, and offline it is the same', () => {
  const env = { PATH: process.env.PATH, SALLYPORT_HOME: place.home };
  const { stdout } = spawnSync(join(root, 'build/bin/sallyport'), ['upgrade', '--json'], { env, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    installed: 'clone',
    newer: null,
    type: expect.stringContaining('git pull && make build'),
  });
});
