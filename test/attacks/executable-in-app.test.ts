/**
 * The keychain lets the daemon of Sallyport.app read the shell secret unasked. So that daemon must be
 * no interpreter: neither its words nor its variables bring it code. The bundle is laid out as on a
 * Mac, with the real executable of this machine; it serves from there as the app's.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { version } from '../../shared/version.ts';
import { Place } from '../install/installed.ts';
import { type BuiltApp, builtApp, layOut, withPython } from '../shell-macos/built-app.ts';

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
});
