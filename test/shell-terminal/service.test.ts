/**
 * `sallyport:` links on a Linux desktop (spec §16), with the desktop's own tools in a home of their
 * own.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { desktopEntry } from '../../shell-terminal/link-handler.ts';
import { missingPrograms, needs } from '../needs.ts';
import { executable, type RealHome, realHome } from './real-home.ts';

const missing = missingPrograms(['desktop-file-validate', 'xdg-mime'], 'sh test/install/desktop-files.sh');
let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

const environment = () => ({
  XDG_DATA_HOME: join(home.folder, 'data'),
  XDG_CONFIG_HOME: join(home.folder, 'config'),
  XDG_DATA_DIRS: join(home.folder, 'shared'),
});
const file = () => join(environment().XDG_DATA_HOME, 'applications', 'sallyport.desktop');
const service = (word: string) => home.run(['service', word], { environment: environment() });
const tool = (name: string, ...words: string[]): string =>
  execFileSync(name, words, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home.folder, ...environment() },
  }).trim();
/**
 * As a desktop runs it: the value is unescaped once and split by its quotes, and the link replaces
 * %u.
 */
function execLine(text: string, link: string): string[] {
  const value = /^Exec=(.*)$/m.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  const words = [...value.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/g, '$1'),
  );
  return words.map(word => (word === '%u' ? link : word.replaceAll('%%', '%')));
}

needs(missing).describe('with the desktop’s tools', () => {
  test('a client’s link reaches the command; nothing else of the user’s changes', async () => {
    const { XDG_CONFIG_HOME } = environment();
    const list = join(XDG_CONFIG_HOME, 'mimeapps.list');
    const others =
      '[Default Applications]\ntext/plain=editor.desktop\n# mine\n\n[Added Associations]\nimage/png=a.desktop;\n';
    mkdirSync(XDG_CONFIG_HOME);
    writeFileSync(list, others);
    expect(await service('install')).toMatchObject({
      code: 0,
      stdout: `Pairing links open in a terminal now: ${file()}\n`,
      stderr: expect.stringMatching(/^No login service installed: SALLYPORT_HOME .*\n$/),
    });
    expect(tool('desktop-file-validate', file())).toBe('');
    expect(tool('xdg-mime', 'query', 'default', 'x-scheme-handler/sallyport')).toBe('sallyport.desktop');
    expect(readFileSync(file(), 'utf8')).toContain('\nTerminal=true\n');

    const [first = '', ...words] = execLine(readFileSync(file(), 'utf8'), 'sallyport://integrations/pair?client=x');
    expect([first, ...words]).toEqual([
      ...['env', `SALLYPORT_HOME=${home.home}`, executable, 'open', 'sallyport://integrations/pair?client=x'],
    ]);
    expect(() => tool(first, ...words)).toThrow('There is no terminal here to ask you in');
    const start = words.map(word => (word.startsWith('sallyport:') ? 'sallyport://integrations/start-mcp' : word));
    expect(tool(first, ...start)).toBe('');
    expect(home.daemons()).toHaveLength(1);

    expect((await service('install')).code).toBe(0);
    expect(await service('uninstall')).toMatchObject({ code: 0, stdout: `Removed ${file()}\n` });
    expect(existsSync(file())).toBe(false);
    expect(readFileSync(list, 'utf8')).toBe(others);
    expect((await service('uninstall')).stdout).toBe('Nothing was installed.\n');
  }, 30_000);

  test('without the desktop’s tools it says so, and succeeds all the same', async () => {
    const bin = join(home.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['node', 'env']) symlinkSync(tool('which', name), join(bin, name));
    const ran = await home.run(['service', 'install'], { environment: { ...environment(), PATH: bin } });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('Install xdg-utils') });
    expect(existsSync(file())).toBe(true);
  }, 30_000);

  describe('the entry', () => {
    test.each(['/opt/Sallyport build/sallyport', '/opt/100%/sallyport', '/opt/a"b$c`d\\e/sallyport'])(
      'runs %s',
      path => {
        const text = desktopEntry(path, null);
        expect(execLine(text, 'sallyport:x')).toEqual([path, 'open', 'sallyport:x']);
        const scratch = join(home.folder, 'sallyport.desktop');
        writeFileSync(scratch, text);
        expect(tool('desktop-file-validate', scratch)).toBe('');
      },
    );
  });
});
