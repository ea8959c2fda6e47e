/**
 * Tab in bash, zsh and fish: the real shells, the built command, and the names that a real daemon
 * knows.
 */

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
  for (const name of ['Shop', 'Shop of $HOME', 'Other'])
    await home.json(['connections', 'add', `sqlite:${home.folder}/${name}.db`, '--create', '--name', name]);
  await home.json(['tokens', 'mint', '--name', 'laptop']);
}, 30_000);
afterAll(() => home.clean());

const shell = (program: string, script: string): string =>
  execFileSync(program, ['-c', script], {
    encoding: 'utf8',
    env: { PATH: `${dirname(executable)}:${process.env.PATH}`, HOME: home.folder, SALLYPORT_HOME: home.home },
  });

const lines = (text: string): string[] => text.split('\n').filter(line => line !== '');

const bash = (...words: readonly string[]): string[] =>
  lines(
    shell(
      'bash',
      `source <(sallyport completion bash)
COMP_WORDS=(sallyport ${words.map(word => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}
_sallyport
printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  );

// What the function passes to zsh's own _describe, outside a line editor.
const zsh = (...words: readonly string[]): string[] =>
  lines(
    shell(
      'zsh',
      `compdef() {}; _describe() { print -rl -- "\${(@P)2}" }; _files() { print files }
source <(sallyport completion zsh)
words=(sallyport ${words.map(word => `'${word}'`).join(' ')}) CURRENT=${words.length + 1}
_sallyport`,
    ),
  );

const fish = (line: string): string[] =>
  lines(shell('fish', `sallyport completion fish | source; complete -C 'sallyport ${line}'`));

needs(missingPrograms(['bash'], 'sh test/install/packages.sh')).describe('bash', () => {
  test('commands, options and their values', () => {
    expect(bash('conn')).toEqual(['connect', 'connections']);
    expect(bash('connections', 's')).toEqual(['show', 'set']);
    expect(bash('connections', 'add', '--na')).toEqual(['--name']);
    expect(bash('connections', 'add', 'x', '--name', 'x', '--na')).toEqual([]);
    expect(bash('connections', 'set', 'Shop', '--external-clients', 'read-')).toEqual(['read-only', 'read-write']);
    expect(bash('connections', 'set', 'Shop', '--tls', '=', 'verify-f')).toEqual(['verify-full']);
    expect(bash('allow', '')).toEqual(['yes', 'no']);
    expect(bash('help', 'tokens', 'e')).toEqual(['edit']);
    expect(bash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(bash('nothing', 'x')).toEqual([]);
  });

  test('names that the daemon knows, quoted', () => {
    expect(bash('query', 'Sh')).toEqual(['Shop', 'Shop\\ of\\ \\$HOME']);
    expect(bash('connections', 'show', 'Shop\\ o')).toEqual(['Shop\\ of\\ \\$HOME']);
    expect(bash('history', '--connection', 'O')).toEqual(['Other']);
    expect(bash('tokens', 'revoke', '')).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(bash('settings', 'get', 'log.l')).toEqual(['log.level']);
    expect(bash('connect', 'claude')).toEqual(['claude-desktop', 'claude-code']);
  });
});

needs(missingPrograms(['zsh'], 'sh test/install/shells.sh')).test('zsh says what each word means', () => {
  expect(zsh('connections', 's')).toEqual([
    'show:Show everything about a connection',
    'set:Change the parts of a connection that you name',
  ]);
  expect(zsh('query', 'Sh')).toEqual(['Shop:sqlite', 'Shop of $HOME:sqlite']);
  expect(zsh('connections', 'set', 'Shop', '--ai-policy', '')).toEqual(['always', 'ask', 'never']);
  expect(zsh('connections', 'add', '')).toEqual(['files']);
});

needs(missingPrograms(['fish'], 'sh test/install/shells.sh')).test('fish says what each word means', () => {
  expect(fish('connections set S')).toEqual([expect.stringMatching(/^Shop\tsqlite$/), expect.stringMatching(/^Shop/)]);
  expect(fish('tokens mint --sc')).toEqual(['--scope\tread-only (default), read-write or full-access']);
});

describe('a home without a daemon', () => {
  test('names nothing, prints nothing, starts nothing', async () => {
    const empty = realHome();
    try {
      expect(await empty.run(['__complete', 'query', ''])).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(empty.daemons()).toEqual([]);
    } finally {
      empty.clean();
    }
  });
});
