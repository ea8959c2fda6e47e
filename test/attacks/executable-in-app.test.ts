/**
 * The keychain lets the daemon of Sallyport.app read the shell secret unasked. So that daemon must be
 * no interpreter: neither its words nor its variables bring it code. The bundle is laid out as on a
 * Mac, with the real executable of this machine; it serves from there as the app's.
 */

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asksKeychainItself } from '../../shared/app-bundle.ts';
import { type KeychainAnswer, type KeychainCall, shellSecretAccount } from '../../shared/keychain-call.ts';
import { version } from '../../shared/version.ts';
import { Place } from '../install/installed.ts';
import { needs } from '../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../servers/secret-service.ts';
import { type BuiltApp, builtApp, layOut, withPython } from '../shell-macos/built-app.ts';
import { expectWithin } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';

withPython.describe('Sallyport.app', () => {
  let stage: BuiltApp;
  let place: Place;
  let planted: string;
  let mark: string;
  beforeAll(() => {
    place = new Place();
    stage = builtApp('real');
    if (layOut(stage).code !== 0) throw new Error('the app could not be laid out');
    planted = join(place.folder, 'planted');
    mark = join(planted, 'ran');
    mkdirSync(planted);
  });
  afterAll(async () => {
    await place.clean();
    stage.end();
  });

  const inApp = (path: string): string => join(stage.app, 'Contents', path);
  const programs = {
    sallyportd: 'MacOS/sallyportd',
    'sallyport-mcp': 'MacOS/sallyport-mcp',
    sallyport: 'Resources/bin/sallyport',
  };

  function ran(program: string, words: readonly string[], environment: object = {}, argv0?: string) {
    const { status, stdout, stderr } = spawnSync(program, words, {
      ...{ cwd: planted, encoding: 'utf8', input: '', timeout: 60_000 },
      ...(argv0 === undefined ? {} : { argv0 }),
      env: { PATH: '/nowhere', HOME: planted, SALLYPORT_HOME: place.home, ...environment },
    });
    return { status, stdout, stderr };
  }

  test.each(Object.entries(programs))('%s is what its place says, through links of any name', (name, path) => {
    const tells = { status: 0, stdout: `${name} ${version}\n`, stderr: '' };
    expect(ran(inApp(path), ['--version'])).toEqual(tells);
    const [near, far] = ['databases', 'my databases'].map(each => join(planted, `${each} of ${name}`));
    symlinkSync(inApp(path), near ?? '');
    symlinkSync(near ?? '', far ?? '');
    expect(ran(far ?? '', ['--version'])).toEqual(tells);
    // Found in PATH, all that it gets is the link's name.
    expect(ran(basename(far ?? ''), ['--version'], { PATH: planted })).toEqual(tells);
    // The word by which it is called need not be where it lies.
    expect(ran(far ?? '', ['--version'], {}, `/elsewhere/${name}`)).toEqual(tells);
  });

  test('a client’s bridge starts the daemon beside it, and the command points clients at that bridge', async () => {
    expect(await place.serves([inApp('MacOS/sallyport-mcp')])).toMatchObject({ name: 'sallyport' });
    expect(place.daemonCommand()).toBe(inApp('MacOS/sallyportd'));
    const said = ran(inApp('Resources/bin/sallyport'), ['connect', 'claude-desktop']).stdout;
    expect(said).toContain(`"command": "${inApp('MacOS/sallyport-mcp')}"`);
  }, 60_000);

  test('words that Node would run, or read options from, run nothing', () => {
    const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`;
    const file = join(planted, 'code.cjs');
    writeFileSync(file, code);
    const attempts = [['-e', code], ['--eval', code], ['-p', code], ['--require', file], ['--import', file], [file]];
    for (const path of Object.values(programs))
      for (const words of attempts) expect(ran(inApp(path), words).stdout).toBe('');
    expect(existsSync(mark)).toBe(false);
  }, 120_000);

  test('variables that Node or its libraries read bring no code', () => {
    const code = join(planted, 'required.cjs');
    writeFileSync(code, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
    // OpenSSL loads what such a file names into the process.
    const configuration = join(planted, 'openssl.cnf');
    const module = join(planted, 'planted.so');
    writeFileSync(module, 'no machine code');
    const lines = [
      'nodejs_conf = a',
      '[a]',
      'engines = b',
      '[b]',
      'c = d',
      '[d]',
      `dynamic_path = ${module}`,
      'init = 1',
    ];
    writeFileSync(configuration, `${lines.join('\n')}\n`);
    // Node itself does read each: so the test would see it.
    const node = (environment: object) =>
      spawnSync(process.execPath, ['-e', '0'], { env: { ...environment }, encoding: 'utf8' });
    expect(node({ OPENSSL_CONF: configuration }).stderr).toContain('OpenSSL configuration error');
    expect(existsSync(mark)).toBe(false);
    node({ NODE_OPTIONS: `--require ${code}` });
    expect(existsSync(mark)).toBe(true);
    execFileSync('rm', [mark]);
    const hostile = [
      { OPENSSL_CONF: configuration },
      { NODE_OPTIONS: `--require ${code}` },
      { NODE_OPTIONS: `--openssl-config=${configuration}` },
      { NODE_OPTIONS: '--inspect-brk=127.0.0.1:0' },
      { NODE_PATH: planted },
    ];
    for (const [name, path] of Object.entries(programs))
      for (const environment of hostile)
        expect(ran(inApp(path), ['--version'], environment)).toEqual({
          status: 0,
          stdout: `${name} ${version}\n`,
          stderr: '',
        });
    expect(existsSync(mark)).toBe(false);
  }, 120_000);

  // The Secret Service stands for macOS's keychain, which gives this executable the items unasked.
  needs(missingForSecretService()).describe('beside a keychain that trusts it', () => {
    let service: SecretService;
    let env: Readonly<Record<string, string>>;
    let daemon: ChildProcess;
    let ended: Promise<number | null>;
    let call: KeychainCall;
    beforeAll(async () => {
      service = await startSecretService();
      const home = join(place.folder, 'with-keychain');
      env = { ...service.environment, SALLYPORT_HOME: home, PATH: '/nowhere' };
      daemon = spawn(inApp('MacOS/sallyportd'), [], { env, stdio: 'ignore' });
      ended = new Promise(resolve => daemon.once('exit', resolve));
      await until(() => existsSync(join(home, 'mcp-handshake.json')), 'the daemon serves');
      const { store } = JSON.parse(readFileSync(join(home, 'store.json'), 'utf8'));
      call = { call: 'get', account: shellSecretAccount(store) };
    }, 120_000);
    afterAll(async () => {
      daemon?.kill('SIGKILL');
      await service?.stop();
    }, 60_000);

    /** What whoever starts it with a channel of Node's hears. */
    function askedOf(program: string, argv0: string): Promise<unknown> {
      const worker = spawn(program, [], { argv0, env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      worker.send(call, () => {});
      return new Promise(resolve => {
        worker.once('message', ({ kind }: KeychainAnswer) => {
          worker.kill('SIGKILL');
          resolve(kind);
        });
        worker.once('exit', code => resolve(`ended with ${code}`));
      });
    }

    test('the daemon and a command ask it themselves', () => {
      const { stdout, stderr } = ran(inApp(programs.sallyport), ['status', '--json'], env);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ secrets: 'keychain' });
      // Only a proved shell is told.
      expect(ran(inApp(programs.sallyport), ['settings', 'list'], env)).toMatchObject({ status: 0, stderr: '' });
    }, 120_000);

    test('its items are told to nobody who starts it, by any of its names', async () => {
      // Outside of the app it is answered on Linux, where a keychain trusts no program more than another.
      expect(await askedOf(join(stage.executable, 'bin/sallyportd'), 'keychain-worker')).toBe('done');
      for (const path of Object.values(programs)) {
        expect(await askedOf(inApp(path), 'keychain-worker')).toBe('ended with 1');
        expect(await askedOf(inApp(path), '/elsewhere/keychain-worker')).toBe('ended with 1');
        const typed = { cwd: planted, encoding: 'utf8', timeout: 60_000, env } as const;
        const told = spawnSync(inApp(path), [], { ...typed, argv0: 'keychain-worker', input: JSON.stringify(call) });
        expect([told.status, told.stdout, told.stderr]).toEqual([1, '', '']);
      }
      // A command has such a channel as well, if whoever starts it gives it one.
      expect(await askedOf(inApp(programs.sallyport), 'sallyport')).toBe('ended with 2');
      expect(await askedOf(inApp(programs.sallyportd), 'sallyportd')).toBe('ended with 0');
      // macOS knows it by its signature, wherever a copy lies.
      expect(asksKeychainItself('darwin', '/private/tmp/copy/sallyportd', true)).toBe(true);
      expect(asksKeychainItself('linux', '/opt/sallyport/bin/sallyportd', true)).toBe(false);
    }, 120_000);

    test('one that never answers keeps neither a command nor the daemon from its end', async () => {
      // The kernel connects for it; nobody ever reads.
      const path = join(place.folder, 'silent');
      const silent = createServer().listen(path);
      await once(silent, 'listening');
      const beside = { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
      const began = performance.now();
      const listed = ran(inApp(programs.sallyport), ['connections', 'list', '--json'], beside);
      expectWithin(began, 15_000);
      expect(listed.stderr).toContain('it gave no answer within 10 s');
      expect(listed.status).toBe(0);
      const asked = ran(inApp(programs.sallyport), ['tokens', 'mint', '--name', 'agent'], beside);
      expect(asked).toMatchObject({ status: 1, stdout: '' });
      expectWithin(began, 30_000);
      service.pause();
      try {
        expect(ran(inApp(programs.sallyport), ['stop'], env)).toMatchObject({ status: 0 });
        expect(await ended).toBe(0);
      } finally {
        service.resume();
      }
      // Nor the end of one that waits for it at its start.
      const restarted = performance.now();
      expect(ran(inApp(programs.sallyportd), [], beside)).toMatchObject({ status: 1 });
      expectWithin(restarted, 30_000);
      silent.close();
    }, 120_000);
  });
});
