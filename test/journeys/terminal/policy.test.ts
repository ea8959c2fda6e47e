/**
 * `sallyport policy` as its person meets it (spec §6): the difference drawn on a terminal, one
 * question, a file that changes while it is asked and after it was applied, and a CI's check.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConnectionView, StatusResult } from '../../../shared/control-commands.ts';
import { modern, send } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from './typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';
let home: RealHome;
afterEach(() => home.clean());

const inWork = (name: string): string => join(home.folder, 'work', name);
const write = (text: string, name = 'sallyport.yaml'): void => writeFileSync(inWork(name), text, { mode: 0o644 });
const show = (name: string) => home.json<ConnectionView>(['connections', 'show', name]);
const add = (name: string, ...more: string[]) =>
  home.here(['connections', 'add', `postgres://me@127.0.0.1:${name.length}/shop`, '--name', name, '--json', ...more]);
const noteOfFile = async () =>
  (await home.json<StatusResult>(['status'])).notes.flatMap(({ code, sentence }) =>
    code === 'policy_changed' ? [sentence] : [],
  );

const policy = `connections:
  - name: "shop*"
    external-clients: read-write
    ai-policy: ask
    hide: ["*_secret"]
settings:
  writes.maxRows: 200
`;

needs(missingForTyping()).test(
  'what narrows applies at once, the rest after one question, by the bytes that were shown',
  async () => {
    home = realHome(0, 'owner');
    await home.run(['start']);
    await add('Shop', '--hide', 'audit.*');
    await add('shop-live');
    expect((await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase))).code).toBe(0);
    write(policy);

    const unasked = await home.run(['policy', 'apply', 'sallyport.yaml']);
    expect(unasked.code).toBe(1);
    expect(unasked.stdout).toContain('5 changes applied at once.');
    expect(unasked.stderr).toContain('which a person types on a terminal or in Sallyport.app.');
    expect(await show('Shop')).toMatchObject({
      aiPolicy: 'askEachTime',
      externalClients: { level: 'readOnly' },
      sight: { hide: ['audit.*', '*_secret'] },
    });
    // What narrows has applied from it, so its edit is news though nobody has said yes to the rest.
    expect(await noteOfFile()).toEqual([]);
    write(policy.replace('200', '900'));
    expect(await noteOfFile()).toHaveLength(1);
    write(policy);

    const whileAsked = async (): Promise<string> => {
      write(policy.replace('shop*', '*').replace('ask', 'always'));
      return passphrase;
    };
    const { code, drawn } = await runOnTerminal(
      home,
      ['policy', 'apply', 'sallyport.yaml'],
      [[passphrasePrompt, whileAsked]],
      90,
    );
    expect(code).toBe(0);
    const plain = stripVTControlCharacters(drawn).replaceAll('\r', '');
    expect(plain).toContain(`Shop
  passphrase  external-clients  read-only → read-write
  passphrase  hide              drops audit.*
shop-live
  passphrase  external-clients  read-only → read-write
  Policy file      ${inWork('sallyport.yaml')}
`);
    expect(plain).toContain('3 changes applied.');
    expect(plain).not.toContain(passphrase);
    for (const name of ['Shop', 'shop-live'])
      expect(await show(name)).toMatchObject({ aiPolicy: 'askEachTime', externalClients: { level: 'readWrite' } });

    // An agent, or a colleague, has edited it since.
    expect(await noteOfFile()).toEqual([
      `The policy file ${inWork('sallyport.yaml')} has changed since it was applied; \`sallyport policy apply ${inWork('sallyport.yaml')} --check\` tells what that would change.`,
    ]);
    write(policy);
    expect(await noteOfFile()).toEqual([]);
  },
  120_000,
);

test('what holds is written, changes nothing, and is checked in a script; a restart remembers the file', async () => {
  home = realHome();
  await home.run(['start']);
  await add('Shop', '--hide', 'audit.*,*_secret', '--row-limit', '10');
  await add('a*b');
  const shown = await home.run(['policy', 'show']);
  expect(shown.stdout).toMatch(
    /^# yaml-language-server: \$schema=\.\/sallyport\.schema\.json\n# "a\*b": its name has a \*/,
  );
  expect(shown.stdout).not.toContain('127.0.0.1');
  write(shown.stdout);
  const same = await home.run(['policy', 'apply', 'sallyport.yaml', '--check']);
  expect(same).toEqual({ code: 0, stdout: 'Nothing changes: what sallyport.yaml says holds already.\n', stderr: '' });

  write(shown.stdout.replace('row-limit: 10', 'row-limit: 5'));
  const differs = await home.run(['policy', 'apply', 'sallyport.yaml', '--check']);
  expect([differs.code, differs.stderr]).toEqual([3, 'sallyport: sallyport.yaml would change 1 thing.\n']);
  expect(differs.stdout).toContain('row-limit  10 → 5');
  expect((await show('Shop')).rowLimit).toBe(10);
  expect(await home.json(['policy', 'show'])).toMatchObject({ applied: null });

  const applied = await home.json(['policy', 'apply', 'sallyport.yaml']);
  expect(applied).toEqual({
    connections: [{ name: 'Shop', changes: [{ key: 'row-limit', from: ['10'], to: ['5'], widens: false }] }],
    settings: [],
  });
  await home.run(['restart']);
  expect(await home.json(['policy', 'show'])).toMatchObject({ applied: { path: inWork('sallyport.yaml') } });
  expect(await noteOfFile()).toEqual([]);
  write(shown.stdout);
  expect(await noteOfFile()).toHaveLength(1);

  const schema = JSON.parse((await home.run(['policy', 'show', '--schema'])).stdout);
  expect(schema).toEqual(
    JSON.parse(readFileSync(new URL('../../../shared/sallyport.schema.json', import.meta.url), 'utf8')),
  );
}, 60_000);

test('what is wrong is refused with its line, and changes nothing', async () => {
  home = realHome();
  await home.run(['start']);
  await add('Shop');
  const narrows = 'connections:\n  - name: Shop\n    ai-policy: never\n';
  for (const [text, sentence] of [
    [
      `${narrows}    password: geheim\n`,
      'line 4: password: a policy file holds no password and no place; they stay in the connection.',
    ],
    [`${narrows}    level: blocked\n`, 'line 4: level: there is no such key.'],
    [
      `${narrows}  - name: Nobody\n`,
      'line 4: name: there is no connection of that name; take the entry out, or save the connection first.',
    ],
    [
      `${narrows}  - name: "nobody*"\n`,
      'line 4: name: no connection has a name like that; take the entry out, or save the connection first.',
    ],
    [`${narrows}    hide:\n      - audit.*\n      - a b.c.d\n`, 'line 6: hide: a pattern is a table or schema.table.'],
    [
      `${narrows}settings:\n  history.days: 0\n`,
      'line 5: history.days: a whole number of days from 1 to 3650 is expected.',
    ],
    [
      `${narrows}tokens: []\n`,
      'line 4: tokens: a policy file holds no password and no place; they stay in the connection.',
    ],
  ] as const) {
    write(text);
    const { code, stdout, stderr } = await home.run(['policy', 'apply', 'sallyport.yaml']);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `sallyport: sallyport.yaml, ${sentence}`]);
  }
  expect((await show('Shop')).aiPolicy).toBe('always');
}, 60_000);

test('no client can ask for it', async () => {
  home = realHome();
  await home.run(['start']);
  await add('Shop');
  const { token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'agent', '--scope', 'full-access']);
  const { port } = await home.json<StatusResult>(['status']);
  const asked = (method: string, params?: Record<string, unknown>) =>
    send(`http://127.0.0.1:${port}/mcp`, { ...modern(token, method, params) });
  const tools = (await asked('tools/list')).json.result?.tools as { name: string }[];
  expect(tools.map(({ name }) => name).filter(name => /policy|settings|connections_s/.test(name))).toEqual([]);
  expect((await asked('policy.apply', { policy: '{}', widens: true })).json.error?.code).toBe(-32601);
}, 60_000);

describe('a home that is made unattended', () => {
  const plan = (more: object) =>
    writeFileSync(
      inWork('plan.json'),
      JSON.stringify({
        connections: [{ name: 'Shop', url: 'postgres://ci@127.0.0.1:1/shop', 'external-clients': 'read-write' }],
        ...more,
      }),
    );

  test('has its policy file, which only narrows', async () => {
    home = realHome(0, 'owner');
    write('connections:\n  - name: Shop\n    external-clients: read-only\n    hide: [audit.*]\n');
    plan({ policy: 'sallyport.yaml' });
    const made = await home.run(['init', '--unattended', 'plan.json']);
    expect([made.code, made.stderr]).toEqual([
      0,
      `${home.home} is made. Its passphrase is off: nothing is confirmed there.\n`,
    ]);
    expect(await show('Shop')).toMatchObject({ externalClients: { level: 'readOnly' }, sight: { hide: ['audit.*'] } });
    expect(await home.json(['policy', 'show'])).toMatchObject({ applied: { path: inWork('sallyport.yaml') } });
  });

  test('refuses one that widens, and none of it applies', async () => {
    home = realHome(0, 'owner');
    write('connections:\n  - name: Shop\n    external-clients: read-only\nsettings:\n  limits.requestsPerMinute: 0\n');
    plan({ policy: 'sallyport.yaml' });
    const made = await home.run(['init', '--unattended', 'plan.json']);
    expect(made.code).toBe(1);
    expect(made.stderr).toContain(
      'sallyport.yaml gives clients more than the plan does (limits.requestsPerMinute), and nobody can confirm that here',
    );
    expect(await show('Shop')).toMatchObject({ externalClients: { level: 'readWrite' } });
  });

  test('is told whose fault it is: the file’s by its line, the plan’s own without it', async () => {
    for (const [text, more, sentence] of [
      ['connections:\n  - name: Nobody\n', {}, /^sallyport: sallyport\.yaml, line 2: name: there is no connection /],
      [
        'connections:\n  - name: Shop\n    hide: [audit.*]\n',
        { settings: { 'history.days': 0 } },
        /^sallyport: history\.days takes /,
      ],
    ] as const) {
      home = realHome(0, 'owner');
      write(text);
      plan({ ...more, policy: 'sallyport.yaml' });
      const made = await home.run(['init', '--unattended', 'plan.json']);
      expect([made.code, made.stderr]).toEqual([1, expect.stringMatching(sentence)]);
      await home.clean();
    }
  });

  test('isn’t begun by a file that can’t be read', async () => {
    home = realHome(0, 'owner');
    plan({ policy: 'nowhere.yaml' });
    const made = await home.run(['init', '--unattended', 'plan.json']);
    expect([made.code, made.stderr.split('\n')[0]]).toEqual([2, "sallyport: nowhere.yaml can't be read (ENOENT)."]);
    expect(home.daemons()).toEqual([]);
  });
});
