/**
 * `sallyport init --unattended FILE` (spec §11): makes a home for a machine without a person; other
 * homes still need confirmation.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConnectionView, StatusResult } from '../../../shared/control-commands.ts';
import { noteText } from '../../../shared/note.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { executable, nobodyConfirmed, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { beginUnattended } from '../../unattended-home.mjs';

const password = 'Zq7-of-the-shop';
const plan = {
  connections: [
    {
      name: 'Shop',
      url: 'postgres://ci@127.0.0.1:1/shop',
      password,
      'external-clients': 'read-write',
      tag: ['eu', 'ci'],
      'row-limit': 50,
      databases: 'all',
    },
    { name: 'Notes', url: 'sqlite:notes.db', create: true },
  ],
  tokens: [
    { name: 'ci', scope: 'full-access', connections: 'Shop', expires: 'never', 'confirm-in-client': true },
    { name: 'reader', expires: 1 },
  ],
  settings: { 'history.days': 7, history: 'on', 'results.maxRows': '100' },
};

let home: RealHome;
beforeEach(() => {
  home = realHome(0, 'owner');
});
afterEach(() => home.clean());

const inWork = (name: string): string => join(home.folder, 'work', name);
const init = (content: unknown, ...more: string[]) => {
  writeFileSync(inWork('plan.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return home.run(['init', '--unattended', 'plan.json', ...more]);
};
const status = () => home.json<StatusResult>(['status']);
const writer = ['tokens', 'mint', '--name', 'w', '--scope', 'read-write'];

describe('a home that doesn’t exist yet', () => {
  test('is made with its connections, tokens and settings; nothing needs confirmation there, and init says so', async () => {
    const { code, stdout, stderr } = await init(plan);
    expect([code, stderr]).toEqual([0, `${home.home} is made. Its passphrase is off: nothing is confirmed there.\n`]);
    const tokens = stdout.trimEnd().split('\n');
    expect(tokens.map(line => line.replace(/sp_[\w-]{43}$/, 'TOKEN'))).toEqual(['ci\tTOKEN', 'reader\tTOKEN']);
    expect(statSync(home.home).mode & 0o777).toBe(0o700);
    // The mark is used up, and only the secrets hold the password.
    expect(readdirSync(home.home)).not.toContain('unattended');
    expect(stdout + stderr + readFileSync(join(home.home, 'sallyport.db'), 'latin1')).not.toContain(password);

    expect(await home.json<ConnectionView>(['connections', 'show', 'Shop'])).toMatchObject({
      externalClients: { level: 'readWrite', writeUntil: null },
      tags: ['eu', 'ci'],
      rowLimit: 50,
      databases: 'all',
      password: { kind: 'stored' },
    });
    expect(existsSync(inWork('notes.db'))).toBe(true);
    expect(await home.json(['tokens', 'list'])).toMatchObject([
      { name: 'ci', scope: 'fullAccess', expiresAt: null, confirmInClient: true },
      { name: 'reader', scope: 'readOnly', confirmInClient: false },
    ]);
    expect(await home.json(['settings', 'get', 'history.days'])).toMatchObject({ value: 7 });
    const { port, passphrase, notes } = await status();
    expect(passphrase).toMatchObject({
      state: 'off',
      chosen: { by: '`sallyport init --unattended`, which made this home' },
    });
    expect(passphrase.chosen?.confirmedAt).not.toBeNull();
    expect(notes.map(noteText).join(' ')).toContain('The owner passphrase is off: any program that runs as you');
    const answer = await send(
      `http://127.0.0.1:${port}/mcp`,
      modern(tokens[1]?.split('\t')[1] ?? '', 'tools/call', { name: 'list_connections', arguments: {} }),
    );
    expect(JSON.stringify(answer.json)).toContain('Notes');
    expect(await home.run(writer)).toMatchObject({ code: 0, stderr: expect.stringContaining(nobodyConfirmed) });

    // There is a home now.
    const again = await init(plan);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('is not empty, and only a new home can be made unattended. Nothing was changed.');
  }, 60_000);

  test('is made from stdin, with nothing in it, in an empty folder; as JSON', async () => {
    mkdirSync(home.home, { mode: 0o700 });
    const ran = await home.run(['init', '--unattended', '-', '--json'], { stdin: '{}' });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({ home: home.home, tokens: [] });
    expect((await status()).passphrase.state).toBe('off');
    expect(await home.json(['connections', 'list'])).toEqual([]);
  }, 30_000);

  test('isn’t made from an invalid plan; each refusal names the place, and no value, which may be a password', async () => {
    const refused: [unknown, string][] = [
      ['{', 'plan.json is not a JSON object.'],
      ['[]', 'plan.json is not a JSON object.'],
      [{ conections: [] }, 'plan.json: there is no "conections"; only connections, tokens, settings and policy.'],
      [{ connections: {} }, 'plan.json: connections must be a list of objects.'],
      [{ tokens: ['ci'] }, 'plan.json: tokens must be a list of objects.'],
      [{ settings: [] }, 'plan.json: settings must be an object of keys and values.'],
      [{ settings: { port: null } }, 'plan.json: the setting port must be a text, a number, true or false.'],
      [{ connections: [{ name: 'Shop' }] }, 'plan.json: connections[0] needs a name and a url, as texts.'],
      [
        { connections: [{ name: 'Shop', url: 'a.db', passwort: password }] },
        'plan.json: connections[0]: there is no option "passwort".',
      ],
      [
        { connections: [{ name: 'Shop', url: 'a.db', 'password-stdin': true }] },
        'plan.json: connections[0]: there is no option "password-stdin".',
      ],
      [
        { connections: [{ name: 'Shop', url: 'a.db', password: [password] }] },
        'plan.json: connections[0]: password must be a text.',
      ],
      [
        { connections: [{ name: 'Shop', url: 'a.db', tag: password }] },
        'plan.json: connections[0]: tag has not the form that the command takes.',
      ],
      [{ tokens: [{ scope: 'read-only' }] }, 'plan.json: tokens[0] needs a name, as a text.'],
      [
        { tokens: [{ name: 'ci', 'confirm-in-client': 'yes' }] },
        'plan.json: tokens[0]: confirm-in-client must be true or false.',
      ],
      [{ tokens: [{ name: 'ci', url: 'a.db' }] }, 'plan.json: tokens[0]: there is no option "url".'],
      [{ connections: [{ name: 'Shop', url: 'redis://h' }] }, 'That is not a URL that Sallyport knows'],
      [{ tokens: [{ name: 'ci', scope: 'root' }] }, '--scope must be one of read-only, read-write, full-access'],
      [{ tokens: [{ name: 'ci', expires: 2 }] }, '--expires must be one of'],
    ];
    for (const [content, sentence] of refused) {
      const { code, stdout, stderr } = await init(content);
      expect([content, code, stdout, stderr.startsWith(`sallyport: ${sentence}`)]).toEqual([content, 2, '', true]);
      expect(stderr).not.toContain(password);
      expect([content, existsSync(home.home)]).toEqual([content, false]);
    }
    for (const words of [
      ['init', '--unattended', 'nowhere.json'],
      ['init', '--unattended', '.'],
      ['init'],
      ['init', 'plan.json'],
    ])
      expect([words, (await home.run(words)).code, existsSync(home.home)]).toEqual([words, 2, false]);
  }, 60_000);
});

test('a refusal that only the daemon makes ends it; the home stays, with a sentence on how to continue', async () => {
  const { code, stdout, stderr } = await init({ ...plan, settings: { volume: 11 } });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^sallyport: There is no setting "volume".* is incomplete: stop Sallyport, remove that folder, /,
  );
  expect(await home.json(['tokens', 'list'])).toEqual([]);
}, 30_000);

test('a home whose start fails belongs to nobody: a later start asked for no home without a passphrase', async () => {
  writeFileSync(inWork('plan.json'), '{}');
  const command = `ulimit -n 36; exec ${executable} init --unattended plan.json`;
  const made = home.spawnProgram('/bin/sh', ['-c', command]);
  let said = '';
  made.stderr?.on('data', text => {
    said += text;
  });
  expect(await new Promise(resolve => made.once('close', resolve))).toBe(1);
  expect(said).toContain('Sallyport did not start: there are too few file descriptors');
  expect(readdirSync(home.home)).not.toContain('unattended');
  expect((await home.run(['start'])).code).toBe(0);
  expect((await status()).passphrase.state).toBe('none');
  expect(await home.run(writer)).toMatchObject({ code: 1, stdout: '' });
}, 30_000);

describe('a home with an owner', () => {
  test('stays as it is, even if it was never started, or isn’t a folder', async () => {
    mkdirSync(home.home);
    writeFileSync(join(home.home, 'sallyport.db'), '');
    expect(await init(plan)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not empty') });
    expect(readdirSync(home.home)).toEqual(['sallyport.db']);
    const elsewhere = { environment: { SALLYPORT_HOME: inWork('plan.json') } };
    expect(await home.run(['init', '--unattended', 'plan.json'], elsewhere)).toMatchObject({ code: 1, stdout: '' });
    expect(home.daemons()).toEqual([]);
  }, 30_000);

  test('isn’t switched off by a mark that is put into it, running or not', async () => {
    expect((await home.run(['start'])).code).toBe(0);
    beginUnattended(home.home);
    expect((await home.run(writer)).code).toBe(1);
    for (const end of [() => home.run(['stop']), () => home.end('SIGKILL')]) {
      await end();
      beginUnattended(home.home);
      expect((await home.run(['start'], { environment: { SALLYPORT_PASSPHRASE: 'off' } })).code).toBe(0);
      expect((await status()).passphrase.state).toBe('none');
      expect(await home.run(writer)).toMatchObject({ code: 1, stdout: '' });
      expect(readdirSync(home.home)).not.toContain('unattended');
    }
  }, 60_000);
});
