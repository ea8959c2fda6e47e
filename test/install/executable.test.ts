/**
 * The single executable: every program, thread and process of ours is in it, and it runs without a
 * Node in reach; no variable, folder or package of a user adds code to it.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { needs, needsRoot } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres } from '../servers/postgres.ts';
import { missingForSecretService, startSecretService } from '../servers/secret-service.ts';
import { until } from '../waiting/until.ts';
import { Place, root } from './installed.ts';

let place: Place;
let bin: string;
beforeAll(() => {
  place = new Place();
  bin = join(place.copyOfProject(), 'build/executable/bin');
});
afterAll(() => place.clean());

/** Called by another name, with a client's variables. */
function called(name: string, words: readonly string[], environment: object = {}, cwd = place.folder) {
  const env = { SALLYPORT_HOME: place.home, ...environment };
  const { status, stdout, stderr } = spawnSync(join(bin, 'sallyport'), words, {
    argv0: name,
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const tells = (name: string) => ({ status: 0, stdout: `${name} ${version}\n`, stderr: '' });

test('it is the command, the daemon and the bridge by its name, also through a user’s own link', async () => {
  for (const name of ['sallyport', 'sallyportd', 'sallyport-mcp'])
    expect([called(`/some/${name}`, ['--version']), called('whatever', ['--version'])]).toEqual([
      tells(name),
      tells('sallyport'),
    ]);
  expect(called('sallyport', ['mcp', '--version'])).toEqual(tells('sallyport-mcp'));
  // Found on a PATH: the typed path leads nowhere, the file itself leads to the rest.
  const links = join(place.folder, 'links');
  mkdirSync(links);
  symlinkSync(join(bin, 'sallyport-mcp'), join(links, 'my-databases'));
  expect(await place.serves(['my-databases'], { PATH: links })).toMatchObject({ name: 'sallyport' });
  expect(place.daemonCommand()).toBe(join(bin, 'sallyportd'));
}, 60_000);

test('without a Node it answers for a database in a file, and finds itself whole', async () => {
  const nothing = { PATH: '/nowhere', NODE_OPTIONS: undefined };
  await place.run(join(bin, 'sallyport'), ['demo'], { env: nothing });
  const asked = ['query', 'Demo', 'select 6 * 7 as answer'];
  expect(await place.run(join(bin, 'sallyport'), asked, { env: nothing })).toBe('answer\n42\n');
  const { checks } = JSON.parse(called('sallyport', ['doctor', '--json']).stdout);
  const found = Object.fromEntries(checks.map(({ name, ok, says }: Record<string, unknown>) => [name, [ok, says]]));
  expect(found).toMatchObject({
    install: [true, `Clients start ${join(bin, 'sallyport-mcp')}.`],
    programs: [true, '4 files of this install are as they were built.'],
    modules: [true, 'Each native module loads.'],
  });
}, 60_000);

const postgres = findPostgres();
needs('unavailable' in postgres ? postgres.unavailable : null).test(
  'the driver and the grammar of PostgreSQL are in it',
  async () => {
    const { superuser, password, port } = await lendPostgres();
    const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
    await place.run(join(bin, 'sallyport'), ['connections', 'add', url, '--name', 'Shop']);
    const asked = ['query', 'Shop', 'with a as (select 6 * 7 as answer) select answer from a'];
    expect(await place.run(join(bin, 'sallyport'), asked)).toBe('answer\n42\n');
  },
  60_000,
);

needs(missingForSecretService()).test(
  'it keeps secrets in the keychain',
  async () => {
    const service = await startSecretService();
    const home = join(place.folder, 'with-keychain');
    const env = { ...service.environment, SALLYPORT_HOME: home };
    const daemon = spawn(join(bin, 'sallyportd'), [], { env, stdio: 'ignore' });
    const ended = new Promise(resolve => daemon.once('exit', resolve));
    try {
      await until(() => existsSync(join(home, 'mcp-handshake.json')), 'the daemon serves');
      expect(JSON.parse(called('sallyport', ['status', '--json'], env).stdout)).toMatchObject({ secrets: 'keychain' });
      expect(called('sallyport', ['stop'], env)).toMatchObject({ status: 0 });
      expect(await ended).toBe(0);
      expect(existsSync(join(home, 'secrets.json'))).toBe(false);
    } finally {
      daemon.kill('SIGKILL');
      await service.stop();
    }
  },
  60_000,
);

test('options of Node in variables or among the words, and packages in a user’s folders, add no code', () => {
  const folder = join(place.folder, 'planted');
  const mark = join(folder, 'ran');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  const packages = ['@napi-rs/keyring', 'pg', 'libpg-query', 'pg-native'];
  for (const name of packages.flatMap(name => [`node_modules/${name}`, `.node_modules/${name}`])) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.js'), code);
  }
  // Whoever loads one of these fails.
  for (const place of ['.', 'bin', '.local/share/sallyport', 'build/Release']) {
    mkdirSync(join(folder, place), { recursive: true });
    for (const name of ['keyring.node', 'sallyport.node']) writeFileSync(join(folder, place, name), 'planted');
  }
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, code);
  const variables = [
    { NODE_OPTIONS: `--require ${preload}` },
    { NODE_OPTIONS: `--import ${preload} --inspect` },
    { NODE_PATH: join(folder, 'node_modules'), HOME: folder },
    { NODE_COMPILE_CACHE: join(folder, 'cache') },
  ];
  for (const each of variables) {
    expect(called('sallyport', ['--version'], each, folder)).toEqual(tells('sallyport'));
    for (const name of packages.slice(0, 3))
      expect(called('module-check', [name], each, folder)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(called('module-check', ['pg-native'], each, folder)).toMatchObject({ status: 1, stderr: 'absent' });
  }
  for (const words of [['--require', preload], ['-e', code], [preload], ['--eval', code]])
    expect(called('sallyport', words, {}, folder).status).not.toBe(0);
  expect(() => readFileSync(mark)).toThrow('ENOENT');
  // A cache of compiled code would be code that its folder's owner may exchange.
  expect(globSync(join(folder, 'cache/**'), { withFileTypes: true }).filter(found => found.isFile())).toEqual([]);
}, 60_000);

test('OpenSSL reads no settings of a user: they may name a library, which would be loaded before our code', () => {
  const folder = join(place.folder, 'openssl');
  mkdirSync(folder);
  const settings = join(folder, 'openssl.cnf');
  const sections = [
    '[init]\nproviders = all',
    '[all]\nmine = mine',
    `[mine]\nmodule = ${folder}/mine.so\nactivate = 1`,
  ];
  writeFileSync(settings, ['nodejs_conf = init', 'openssl_conf = init', ...sections, ''].join('\n'));
  // The Node in it obeys them: with a library that isn't there it doesn't start.
  const node = spawnSync(process.execPath, ['--eval', '0'], { env: { OPENSSL_CONF: settings }, encoding: 'utf8' });
  expect(node.status).not.toBe(0);
  const variables = [{ OPENSSL_CONF: settings }, { OPENSSL_CONF: settings, OPENSSL_MODULES: folder }];
  for (const name of ['sallyport', 'sallyportd', 'sallyport-mcp'])
    for (const each of variables) expect(called(name, ['--version'], each, folder)).toEqual(tells(name));
});

test('called by any other name or with any first word, it runs nothing but what is in it', () => {
  const folder = join(place.folder, 'called');
  mkdirSync(join(folder, 'node_modules/planted'), { recursive: true });
  const mark = join(folder, 'ran');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
  for (const file of ['planted.cjs', 'sallyport.cjs', 'start.cjs', 'node_modules/planted/index.js'])
    writeFileSync(join(folder, file), code);
  writeFileSync(join(folder, 'package.json'), '{"main":"planted.cjs","imports":{"#planted":"./planted.cjs"}}');
  writeFileSync(join(folder, '.env'), `NODE_OPTIONS=--require ${folder}/planted.cjs`);
  const planted = join(folder, 'planted.cjs');
  const config = join(folder, 'node.config.json');
  writeFileSync(config, JSON.stringify({ nodeOptions: { require: [planted], import: [planted] } }));
  // Node reads the first word, which whoever starts it chooses, as an option too.
  const options = ['--eval', '-r', `--require=${planted}`, `--import=${planted}`, '--inspect-brk'];
  const files = [`--experimental-config-file=${config}`, `--env-file=${join(folder, '.env')}`];
  for (const name of ['node', 'start', 'classifier-worker', planted, ...options, ...files]) {
    expect([name, called(name, ['--version'], {}, folder)]).toEqual([name, tells('sallyport')]);
    for (const words of [[planted], [code], ['--eval', code], ['-r', './planted.cjs']])
      expect([name, called(name, words, {}, folder).status]).toEqual([name, 2]);
  }
  // Names for what it starts itself: packages that are in it, and no path.
  for (const word of ['planted', './planted.cjs', join(folder, 'planted.cjs'), '#planted', 'pg/../../planted'])
    expect(called('module-check', [word], { NODE_PATH: folder }, folder)).toMatchObject({
      status: 1,
      stderr: 'absent',
    });
  for (const name of ['sqlite-worker', 'keychain-worker'])
    spawnSync(join(bin, 'sallyport'), [join(folder, 'planted.cjs')], {
      argv0: name,
      cwd: folder,
      input: '',
      timeout: 10_000,
    });
  expect(existsSync(mark)).toBe(false);
}, 60_000);

needsRoot.test('a native module that somebody else put beside it, or may change, is refused', () => {
  const folder = join(place.folder, 'download');
  mkdirSync(folder);
  cpSync(join(bin, 'sallyport'), join(folder, 'sallyport'));
  const native = join(folder, 'keyring.node');
  const checked = () =>
    spawnSync(join(folder, 'sallyport'), ['@napi-rs/keyring'], { argv0: 'module-check', encoding: 'utf8', env: {} });
  expect(checked()).toMatchObject({ status: 1, stderr: 'absent' });
  cpSync(join(bin, 'keyring.node'), native);
  expect(checked()).toMatchObject({ status: 0, stderr: '' });
  chmodSync(native, 0o666);
  expect(checked()).toMatchObject({ status: 1, stderr: expect.stringContaining('others may write it') });
  chmodSync(native, 0o644);
  chownSync(native, 65_534, 65_534);
  expect(checked()).toMatchObject({ status: 1, stderr: expect.stringContaining('belongs to somebody else') });
  chownSync(join(folder, 'sallyport'), 65_534, 65_534);
  expect(checked()).toMatchObject({ status: 0, stderr: '' });
  rmSync(native);
  symlinkSync(join(bin, 'keyring.node'), native);
  expect(checked()).toMatchObject({ status: 1, stderr: expect.stringContaining('is a link') });
});

test('its bill of materials names it by its hash, the packages in it, and Node with its libraries', () => {
  const bill = JSON.parse(readFileSync(join(root, 'build/executable.cdx.json'), 'utf8'));
  const [content] = execFileSync('sha256sum', [join(bin, 'sallyport')], { encoding: 'utf8' }).split(' ');
  expect(bill.metadata.component).toMatchObject({ name: 'sallyport', version, hashes: [{ alg: 'SHA-256', content }] });
  const components: { name: string; type: string; components?: { name: string }[] }[] = bill.components;
  const names = components.map(({ name }) => name);
  const notices = readFileSync(join(bin, '../THIRD-PARTY-NOTICES.txt'), 'utf8');
  const noticed = [...notices.matchAll(/^-{80}\n\n(\S+) /gm)].map(([, name = '']) => name);
  expect(names).toEqual(expect.arrayContaining([...noticed, '@napi-rs/keyring']));
  expect(noticed).toEqual(expect.arrayContaining(['pg', 'libpg-query', 'zod']));
  expect(names).not.toContain('jest');
  const node = components.find(({ type }) => type === 'platform');
  expect(node?.name).toBe('node');
  expect(node?.components?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['openssl', 'v8', 'sqlite', 'zlib']),
  );
});
