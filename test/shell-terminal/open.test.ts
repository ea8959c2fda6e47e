/**
 * Where `sallyport open` sends an answer (spec §10): apps that the desktop knows, loopback
 * addresses, and nowhere else.
 */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { linkFaultSentences } from '../../daemon/access/pairing/pairing-link.ts';
import { deepLinkKind, redirectScheme } from '../../shell-terminal/deep-link.ts';
import { missingPrograms, needs } from '../needs.ts';
import { type Ran, type RealHome, realHome } from './real-home.ts';

const challenge = createHash('sha256').update('z'.repeat(43)).digest('base64url');
const approve = ['--approve', '--connections', 'Shop'];
const notLocal = `sallyport: ${linkFaultSentences.redirect_not_local}\n`;

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  const started = await home.run(['start']);
  if (started.code !== 0) throw new Error(started.stderr);
  await home.run(['connections', 'add', `sqlite:${join(home.folder, 'shop.db')}`, '--create', '--name', 'Shop']);
}, 30_000);
afterAll(async () => {
  await home.run(['stop']);
  await home.clean();
}, 30_000);

const environment = (): Record<string, string> => ({
  XDG_DATA_HOME: join(home.folder, 'data'),
  XDG_CONFIG_HOME: join(home.folder, 'config'),
  XDG_DATA_DIRS: join(home.folder, 'shared'),
});

function open(redirect: string, words: readonly string[], more: Record<string, string> = {}): Promise<Ran> {
  const link = `sallyport://integrations/pair?${new URLSearchParams({ client: 'Ed', challenge, redirect, scopes: 'readOnly' })}`;
  return home.run(['open', link, ...words], { environment: { ...environment(), ...more } });
}

function register(scheme: string, folder: string, isThere = true): void {
  const { XDG_CONFIG_HOME = '' } = environment();
  mkdirSync(XDG_CONFIG_HOME, { recursive: true });
  const list = join(XDG_CONFIG_HOME, 'mimeapps.list');
  const before = existsSync(list) ? readFileSync(list, 'utf8') : '[Default Applications]\n';
  writeFileSync(list, `${before}x-scheme-handler/${scheme}=${scheme}.desktop\n`);
  if (!isThere) return;
  mkdirSync(join(folder, 'applications'), { recursive: true });
  const entry = `[Desktop Entry]\nType=Application\nName=The ${scheme} app\nExec=true %u\nMimeType=x-scheme-handler/${scheme};\n`;
  writeFileSync(join(folder, 'applications', `${scheme}.desktop`), entry);
}

needs(missingPrograms(['xdg-mime'], 'sh test/install/desktop-files.sh')).describe('an app of this system', () => {
  test('that is registered for the scheme may get the answer, with its launcher as context', async () => {
    const { XDG_DATA_HOME = '', XDG_DATA_DIRS = '' } = environment();
    register('app.editor', XDG_DATA_HOME);
    register('raycast', XDG_DATA_DIRS);
    const own = await open('app.editor://done?a=1', ['--deny', '--print-redirect']);
    expect(own).toEqual({
      code: 0,
      stdout: 'app.editor://done?a=1&error=denied&error_description=user_denied\n',
      stderr: '',
    });
    const launcher = await open('raycast://extensions/me/pair', [...approve, '--print-redirect']);
    const context = new URL(launcher.stdout.trim()).searchParams.get('context') ?? '';
    expect(JSON.parse(context)).toEqual({ code: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  }, 30_000);

  test('that isn’t, or is gone from the disk, gets nothing: exit 1 and the sentence', async () => {
    register('goneapp', '', false);
    for (const redirect of ['unknownapp://done', 'goneapp://done']) {
      expect(await open(redirect, [...approve, '--print-redirect'])).toEqual({
        code: 1,
        stdout: '',
        stderr: notLocal,
      });
    }
  }, 30_000);

  test('is opened by the desktop if there is one, else the answer is lost and the command says so', async () => {
    const { XDG_DATA_HOME = '' } = environment();
    register('app.other', XDG_DATA_HOME);
    const lost = await open('app.other://done', approve);
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain('there is no desktop here that could open app.other: addresses');
    const bin = join(home.folder, 'bin');
    const opened = join(home.folder, 'opened');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}'\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    const given = await open('app.other://done', ['--deny'], {
      DISPLAY: ':9',
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    });
    expect(given.code).toBe(0);
    expect(readFileSync(opened, 'utf8')).toBe('app.other://done?error=denied&error_description=user_denied\n');
  }, 30_000);

  test('of a scheme that any app may claim is opened only from its sheet, and a no opens nothing', async () => {
    const { XDG_DATA_HOME = '' } = environment();
    register('anyapp', XDG_DATA_HOME);
    const seen = await open('anyapp://done', approve);
    expect(seen.code).toBe(1);
    expect(seen.stderr).toContain('Any app may claim anyapp: addresses, and The anyapp app opens them here');
    expect(await open('anyapp://done', ['--deny', '--print-redirect'])).toMatchObject({ code: 0, stdout: '' });
    const denied = await open('anyapp://done', ['--deny']);
    expect(denied).toMatchObject({ code: 0, stdout: 'Denied. Ed got nothing, and nothing was opened.\n' });
    expect((await open('anyapp://done', [...approve, '--print-redirect'])).stdout).toContain('anyapp://done?code=');
  }, 30_000);
});

test('without a desktop a loopback address is fetched once, without following its answer', async () => {
  const asked: string[] = [];
  let status = 302;
  const client = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { Location: '/elsewhere' }).end();
  });
  await new Promise<void>(resolve => client.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = client.address() as AddressInfo;
    expect((await open(`http://localhost:${port}/cb`, ['--deny'])).code).toBe(0);
    expect(asked).toEqual(['GET /cb?error=denied&error_description=user_denied']);
    status = 404;
    const refused = await open(`http://127.0.0.1:${port}/cb`, approve);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `The answer may not have reached Ed: the client at 127.0.0.1:${port} answered with HTTP 404. It may have the code,`,
    );
    const denied = await open(`http://127.0.0.1:${port}/cb`, ['--deny']);
    expect(denied).toMatchObject({ code: 1, stderr: expect.stringMatching(/with HTTP 404\.\n$/) });
  } finally {
    client.close();
  }
}, 30_000);

test.each([
  ['sallyport://integrations/start-mcp', 'start'],
  ['sallyport://integrations/start-mcp/', 'start'],
  ['sallyport://integrations/start-mcp?x', 'unknown'],
  ['sallyport://integrations/pair?', 'pair'],
  ['Sallyport://Integrations/Pair?a=b', 'pair'],
  ['sallyport:integrations/pair?', 'unknown'],
  ['sallyport://integrations/pairs?', 'unknown'],
  ['https://sallyport/integrations/pair?', 'unknown'],
])('%s is %s', (link, kind) => {
  expect(deepLinkKind(link)).toBe(kind);
});

test.each([
  ['redirect=editor.app%3A%2F%2Fx', 'editor.app'],
  ['redirect=EDITOR://x', 'editor'],
  ['client=redirect%3Da:b&redirect=b%3A', 'b'],
  ['redirect=https://127.0.0.1/', null],
  ['redirect=%ff', null],
  ['redirect=$(reboot):x', null],
  ['redirect=-x:y', null],
  ['client=x', null],
])('the scheme asked for in %s is %s', (query, scheme) => {
  expect(redirectScheme(`sallyport://integrations/pair?${query}`)).toBe(scheme);
});
