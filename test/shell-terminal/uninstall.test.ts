/**
 * What `sallyport uninstall` says of what stays: where the passwords are, and that another install
 * uses the home. `rm -r HOME` is told only where nothing else needs it.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { storeRecordText } from '../../shared/store-record.ts';
import { desktopEntry } from '../../shell-terminal/link-handler.ts';
import { needsLinux } from '../needs.ts';
import { executable, type RealHome, realHome } from './real-home.ts';

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

function put(path: string, text: string, mode = 0o600): string {
  const whole = join(home.folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text, { mode });
  return whole;
}

async function said(words: readonly string[] = [], environment: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await home.run(['uninstall', ...words], { environment });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n');
}

const all = (where: string) => `Your connections, passwords, settings and log stay in ${where}. To be rid of them: `;
const shared = (where: string) =>
  `Your connections, passwords, settings and log stay for the other Sallyport, in ${where}`;

test.each(['file', 'keychain'] as const)('passwords in the %s are told as such', async secrets => {
  const store = '01234567-89ab-cdef-0123-456789abcdef';
  put('home/store.json', storeRecordText({ version: 1, store, secrets }));
  expect(await said()).toContain(
    secrets === 'file'
      ? `${all(home.home)}rm -r ${home.home}`
      : `Your connections, settings and log stay in ${home.home}, your passwords in the keychain. To be rid of them: rm -r ${home.home}, and delete what the keychain has of "sallyport".`,
  );
});

describe('another install', () => {
  const starts = (command: string, env?: object): string =>
    JSON.stringify({ mcpServers: { sallyport: { command, ...(env && { env }) } } });

  test('that a client starts, without a service and a daemon, keeps the home', async () => {
    put('.cursor/mcp.json', starts('/opt/npm/bin/sallyport-mcp', { SALLYPORT_HOME: home.home }));
    const lines = await said();
    expect(lines).toContain(shared(home.home));
    expect(lines.join('\n')).not.toContain('rm -r');
  });

  test('keeps the usual home too, which no entry names', async () => {
    const usual = dirname(put('.local/share/sallyport/store.json', ''));
    put('.cursor/mcp.json', starts('npx', {}));
    const lines = await said([], { SALLYPORT_HOME: '' });
    expect(lines).toContain(shared(usual));
    expect(lines.join('\n')).not.toContain('rm -r');
  });

  test.each([
    ['another', { SALLYPORT_HOME: '/srv/another' }],
    ['the usual', undefined],
    ['none that can be', { SALLYPORT_HOME: 'relative' }],
  ])('for %s home keeps not this one', async (_which, env) => {
    put('.cursor/mcp.json', starts('/opt/npm/bin/sallyport-mcp', env));
    expect(await said()).toContain(`${all(home.home)}rm -r ${home.home}`);
  });

  needsLinux.test('that opens links keeps the home', async () => {
    const other = put('other/sallyport', '#!/bin/sh\n', 0o700);
    put('.local/share/applications/sallyport.desktop', desktopEntry(other, home.home));
    const lines = await said();
    expect(lines).toContain(`Links stay as they are, because they open in another Sallyport: ${other}`);
    expect(lines).toContain(shared(home.home));
  });
});

test('a kept program is told to take its entry out as long as it is there', async () => {
  const bridge = join(dirname(executable), 'sallyport-mcp');
  const env = { SALLYPORT_HOME: home.home };
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sallyport: { command: bridge, env } } }));
  const lines = await said(['--keep-program']);
  expect(lines).toContain(
    'While Sallyport is installed, `sallyport connect CLIENT --remove` takes an entry out. Afterwards, take it out by hand.',
  );
  expect(lines.join('\n')).not.toContain('the program itself');
});
