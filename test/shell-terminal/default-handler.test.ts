/**
 * The user's `mimeapps.list` keeps each byte that isn't ours, its mode and its place behind a link,
 * at install and afterwards.
 */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forgetDefault, setDefault } from '../../shell-terminal/default-handler.ts';
import { thisTerminal } from '../../shell-terminal/terminal.ts';
import { realHome } from './real-home.ts';

const handler = { mimeType: 'x-scheme-handler/sallyport', desktopId: 'sallyport.desktop' };
const ours = 'x-scheme-handler/sallyport=sallyport.desktop\n';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/sallyport-default-');
  mkdirSync(join(folder, 'config'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const list = () => join(folder, 'config', 'mimeapps.list');
const terminal = () => ({
  ...thisTerminal(),
  userHome: folder,
  environment: { XDG_CONFIG_HOME: join(folder, 'config') },
});
const set = () => setDefault(terminal(), handler);
const forget = () => forgetDefault(terminal(), handler);
const text = () => readFileSync(list(), 'latin1');

test('bytes that aren’t UTF-8, the mode, a link and its place stay', () => {
  const others = Buffer.concat([
    Buffer.from('# caf\xe9 \xff\xfe\r\n[Default Applications]\r\ntext/plain=\xe9diteur.desktop\r\n\r\n', 'latin1'),
    Buffer.from('[Added Associations]\r\nimage/png=größe.desktop;\r\nno line end'),
  ]);
  const real = join(folder, 'dotfiles', 'mimeapps');
  mkdirSync(join(folder, 'dotfiles'));
  writeFileSync(real, others);
  chmodSync(real, 0o640);
  symlinkSync('../dotfiles/mimeapps', list());
  expect(set()).toBeNull();
  expect(set()).toBeNull();
  expect(text()).toBe(
    others.toString('latin1').replace('Applications]\r\n', `Applications]\r\n${ours.replace('\n', '\r\n')}`),
  );
  const asItWas = () => [readlinkSync(list()), statSync(real).mode & 0o7777, readdirSync(join(folder, 'dotfiles'))];
  expect(asItWas()).toEqual(['../dotfiles/mimeapps', 0o640, ['mimeapps']]);
  expect(forget()).toBeNull();
  expect(readFileSync(real)).toEqual(others);
  expect(asItWas()).toEqual(['../dotfiles/mimeapps', 0o640, ['mimeapps']]);
});

test.each([
  ['', `[Default Applications]\n${ours}`],
  ['[Added Associations]\na/b=c.desktop;', `[Added Associations]\na/b=c.desktop;\n[Default Applications]\n${ours}`],
  ['[Default Applications]', `[Default Applications]\n${ours}`],
  [
    '[Default Applications]\nx-scheme-handler/sallyport=other.desktop\n',
    '[Default Applications]\nx-scheme-handler/sallyport=sallyport.desktop;other.desktop;\n',
  ],
  // In another section, which doesn't set the default.
  [
    `[Default Applications]\na/b=c.desktop\n[Removed Associations]\nx-scheme-handler/sallyport=other.desktop\n`,
    `[Default Applications]\n${ours}a/b=c.desktop\n[Removed Associations]\nx-scheme-handler/sallyport=other.desktop\n`,
  ],
])('%j becomes %j', (before, after) => {
  writeFileSync(list(), before);
  expect(set()).toBeNull();
  expect(text()).toBe(after);
  expect(forget()).toBeNull();
  if (existsSync(list())) expect(text()).not.toContain('sallyport.desktop');
});

test('if there is none one is made, and removed again', () => {
  expect(set()).toBeNull();
  expect(text()).toBe(`[Default Applications]\n${ours}`);
  expect(forget()).toBeNull();
  expect(existsSync(list())).toBe(false);
});

test('a list behind a link is emptied, never removed', () => {
  writeFileSync(join(folder, 'kept'), `[Default Applications]\n${ours}`);
  symlinkSync(join(folder, 'kept'), list());
  expect(forget()).toBeNull();
  expect(lstatSync(list()).isSymbolicLink()).toBe(true);
  expect(text()).toBe('[Default Applications]\n');
});

test('a read-only list stays, and is named', () => {
  const others = `[Default Applications]\n${ours.replace('sallyport.desktop', 'other.desktop;sallyport.desktop;')}`;
  writeFileSync(list(), others);
  chmodSync(list(), 0o444);
  for (const problem of [set(), forget()]) expect(problem).toBe(`${list()} is not writable`);
  rmSync(list());
  symlinkSync(join(folder, 'nowhere'), list());
  expect(set()).toBe(`${list()} is a link that leads nowhere`);
});

test('the command says so, and continues', async () => {
  const home = realHome();
  try {
    writeFileSync(list(), '');
    chmodSync(list(), 0o444);
    const environment = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'data') };
    const ran = await home.run(['service', 'install'], { environment });
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`The desktop still has its old handler: ${list()} is not`),
    });
    expect(ran.stderr).toContain('`sallyport open LINK` works anyway.');
    expect(await home.run(['service', 'uninstall'], { environment })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Removed .*sallyport\.desktop\n$/),
      stderr: expect.stringContaining('a line for sallyport.desktop may be left in it'),
    });
  } finally {
    await home.clean();
  }
}, 30_000);
