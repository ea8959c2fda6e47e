/**
 * `make install` and `make uninstall`: where each file goes, that nothing needs the source folder,
 * that nothing remains.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { Place, root } from './installed.ts';

const commands = ['sallyport', 'sallyport-mcp', 'sallyportd'];

let place: Place;
let source: string;
let prefix: string;
const installer = (what: 'install' | 'uninstall', env: object = {}) =>
  place.run('sh', ['bridge/packaging/place.sh', what, prefix], { cwd: source, env });

beforeAll(async () => {
  place = new Place();
  prefix = join(place.folder, 'usr', 'local');
  source = place.copyOfProject();
  await installer('install');
  renameSync(source, `${source}-away`);
}, 120_000);
afterAll(() => place.clean());

test('the commands are links into the library', () => {
  expect(readdirSync(join(prefix, 'bin')).sort()).toEqual(commands);
  for (const command of commands) expect(lstatSync(join(prefix, 'bin', command)).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(prefix, 'lib'))).toEqual(['sallyport']);
});

test('the page for man and the completions are where man and each shell look for them', async () => {
  for (const [path, words] of [
    ['man/man1/sallyport.1', ['manual']],
    ['bash-completion/completions/sallyport', ['completion', 'bash']],
    ['zsh/site-functions/_sallyport', ['completion', 'zsh']],
    ['fish/vendor_completions.d/sallyport.fish', ['completion', 'fish']],
  ] as const) {
    const printed = await place.run(join(prefix, 'bin/sallyport'), words);
    expect(readFileSync(join(prefix, 'share', path), 'utf8')).toBe(printed);
    expect(printed).toContain('sallyport');
  }
});

test('what isn’t Sallyport’s is never overwritten, run or removed', async () => {
  const other = join(place.folder, 'other');
  for (const path of ['bin/sallyport', 'share/zsh/site-functions/_sallyport', 'lib/sallyport/mine']) {
    mkdirSync(join(other, path, '..'), { recursive: true });
    writeFileSync(join(other, path), '#!/bin/sh\necho run', { mode: 0o755 });
    const words = ['bridge/packaging/place.sh', 'install', other, join(prefix, 'lib/sallyport')];
    await expect(place.run('sh', words, { cwd: root })).rejects.toThrow(/so nothing was changed\. Move it away/);
    for (const what of ['uninstall', 'remove'])
      expect(await place.run('sh', ['bridge/packaging/place.sh', what, other], { cwd: root })).toBe(
        `No Sallyport is installed in ${other}.\n`,
      );
    expect(
      readdirSync(other, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory()),
    ).toHaveLength(1);
    rmSync(other, { recursive: true });
  }
});

test('the library has one executable with three names, the keychain’s module and the licences', async () => {
  const library = join(prefix, 'lib', 'sallyport');
  const files = readdirSync(library, { recursive: true }).map(String);
  expect(files.filter(file => !/keyring|^share\//.test(file)).sort()).toEqual([
    '.made-folders',
    'LICENSE',
    'Node-LICENSE.txt',
    'THIRD-PARTY-NOTICES.txt',
    'as-person.sh',
    'bin',
    ...['manifest.json', ...commands].map(name => `bin/${name}`),
    'place.sh',
    'share',
  ]);
  expect(new Set(commands.map(command => statSync(join(library, 'bin', command)).ino)).size).toBe(1);
  const notices = readFileSync(join(library, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['pg', 'libpg-query', 'hono'])
    expect(notices).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
});

test('it needs no Node, and no PATH', async () => {
  for (const command of commands) {
    const said = await place.run(join(prefix, 'bin', command), ['--version'], { env: { PATH: '/nowhere' } });
    expect(said).toBe(`${command} ${version}\n`);
  }
});

test('without the source: the bridge starts the daemon beside it, which answers', async () => {
  expect(existsSync(source)).toBe(false);
  expect(await place.serves([join(prefix, 'bin', 'sallyport-mcp')])).toMatchObject({ name: 'sallyport' });
  expect(place.daemonCommand()).toBe(join(prefix, 'lib', 'sallyport', 'bin', 'sallyportd'));
}, 60_000);

test('without the source: the terminal command makes a demo and names the bridge of this install', async () => {
  const sallyport = join(prefix, 'bin', 'sallyport');
  await place.run(sallyport, ['demo']);
  const listed = JSON.parse(await place.run(sallyport, ['connections', 'list', '--json']));
  expect(JSON.stringify(listed)).toContain('Demo');
  expect(await place.run(sallyport, ['connect', 'cursor'])).toContain(
    JSON.stringify(join(prefix, 'bin', 'sallyport-mcp')),
  );
  await place.run(sallyport, ['stop']);
}, 60_000);

test('installing again replaces, uninstalling leaves only what others put there', async () => {
  renameSync(`${source}-away`, source);
  writeFileSync(join(prefix, 'lib', 'sallyport', 'of-an-older-version'), '');
  const told = await installer('install');
  expect(told).toContain(`Sallyport is installed in ${prefix}.`);
  expect(told).toContain(`export PATH="${prefix}/bin:$PATH"\n`);
  expect(told).toMatch(/\nNext: sallyport setup\n$/);
  expect(existsSync(join(prefix, 'lib', 'sallyport', 'of-an-older-version'))).toBe(false);
  const neighbour = join(prefix, 'bin', 'neighbour');
  writeFileSync(neighbour, '');
  const env = { HOME: place.folder };
  mkdirSync(join(place.folder, '.cursor'));
  const sallyport = (...words: string[]) => place.run(join(prefix, 'bin', 'sallyport'), words, { env });
  await sallyport('connect', 'cursor', '--write');
  await sallyport('start');
  const said = await installer('uninstall', env);
  expect(said).toContain('Stopped Sallyport, which was running.');
  expect(said).toMatch(/These AI clients have an entry "sallyport":\n {2}cursor: .*\nKept: the entry "sallyport" in /);
  expect(said).toContain(`Removed ${join(prefix, 'lib', 'sallyport')} and its commands`);
  expect(existsSync(join(place.home, 'mcp-handshake.json'))).toBe(false);
  expect(readdirSync(prefix, { recursive: true }).sort()).toEqual(['bin', 'bin/neighbour']);
  // Running it twice is no error and removes nothing more.
  expect(await installer('uninstall', env)).toBe(`No Sallyport is installed in ${prefix}.\n`);
  expect(existsSync(neighbour)).toBe(true);
}, 120_000);

test('uninstalling takes the folders that installing made', async () => {
  rmSync(prefix, { recursive: true });
  rmSync(join(place.folder, 'usr'), { recursive: true });
  const packaged = join(place.folder, 'stage');
  mkdirSync(packaged);
  const env = { DESTDIR: packaged };
  await installer('install', env);
  expect(existsSync(join(packaged, prefix, 'lib', 'sallyport', 'LICENSE'))).toBe(true);
  expect(existsSync(prefix)).toBe(false);
  await installer('uninstall', env);
  expect(readdirSync(packaged)).toEqual([]);
}, 120_000);

test('a folder that is not absolute is refused', async () => {
  prefix = 'relative';
  await expect(installer('install')).rejects.toThrow('PREFIX must be an absolute path');
});
