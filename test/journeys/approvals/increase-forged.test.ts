/**
 * Threat: an agent with a terminal can read this user's files but doesn't know the passphrase. It
 * takes the shell secret from secrets.json, speaks to the control socket itself, as a terminal or
 * as the app, and runs each command.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ControlCommands, ControlMethod } from '../../../daemon/shells/commands.ts';
import type { StatusResult } from '../../../shared/control-commands.ts';
import { noteText } from '../../../shared/note.ts';
import { type ControlClient, Refused } from '../../../shell-terminal/control-client.ts';
import { forgedShell } from '../../attacks/agent-with-a-shell/forged-shell.ts';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { postgresAt } from '../../shells/asking.ts';
import { missingForTyping, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const passphrase = 'correct horse battery';

needs(missingForTyping()).describe('a forged shell', () => {
  let home: RealHome;
  const forged: ControlClient[] = [];
  beforeEach(async () => {
    home = realHome();
    expect((await home.run(['start'])).code).toBe(0);
    const add = ['connections', 'add', 'postgres://anna@db.example/shop', '--name', 'Shop', '--password-stdin'];
    expect((await home.run([...add, '--external-clients', 'blocked'], { stdin: 'geheim' })).code).toBe(0);
    const set = await runOnTerminal(
      home,
      ['passphrase', 'set'],
      [
        ['New owner passphrase: ', passphrase],
        ['Type it again: ', passphrase],
      ],
    );
    expect(set.code).toBe(0);
  });
  afterEach(async () => {
    for (const shell of forged.splice(0)) shell.close();
    await home.clean();
  });

  async function forge(shell: string): Promise<ControlClient> {
    const client = await forgedShell(home.home, shell);
    forged.push(client);
    return client;
  }

  /** The state before and after. */
  async function standing(): Promise<unknown> {
    const { connections } = JSON.parse(
      `{"connections":${(await home.here(['connections', 'list', '--json'])).stdout}}`,
    );
    return [connections, await home.json(['tokens', 'list']), await home.json(['settings', 'list'])];
  }

  const ask = <Method extends ControlMethod>(method: Method, params: ControlCommands[Method]['params']) =>
    [method, params] as const;
  const attacks = [
    ask('tokens.mint', { name: 'x', scope: 'readWrite', connections: [], expires: 1, confirmInClient: false }),
    ask('connections.save', { connection: 'Shop', externalClients: { level: 'readWrite' } }),
    ask('connections.save', { connection: 'Shop', endpoint: postgresAt('evil.example') }),
    ask('connections.save', { connection: 'Shop', tls: { mode: 'disable' } }),
    ask('connections.save', { connection: 'Shop', databases: 'all' }),
    ask('connections.save', { connection: 'Shop', password: { kind: 'command', command: 'cat' } }),
    ask('connections.save', {
      name: 'New',
      endpoint: postgresAt('h.example'),
      externalClients: { level: 'readWrite' },
    }),
    ask('settings.set', { key: 'history', value: 'off' }),
    ask('settings.set', { key: 'limits.requestsPerMinute', value: 0 }),
    ask('settings.set', { key: 'approval.rememberHours', value: 700 }),
    ask('passphrase.set', { passphrase: 'the agent is the owner now' }),
    ask('passphrase.off', {}),
    ask('resume', {}),
  ];

  test.each(['terminal', 'app'])(
    'as %s, with the secret of secrets.json, it gains nothing',
    async shell => {
      const agent = await forge(shell);
      await agent.ask('desk.attach', { answers: true });
      const before = await standing();
      for (const [method, params] of attacks) {
        const refusal = await agent.ask(method, params as never).catch((error: unknown) => error);
        expect([method, refusal]).toEqual([method, expect.any(Refused)]);
        expect((refusal as Refused).data).toMatchObject({ confirm: 'passphrase' });
      }
      // Claiming a confirmation in the app, and answering for it, changes nothing here.
      for (const [method, params] of attacks) {
        const refusal = await agent.ask(method, params as never, undefined, 'app').catch((error: unknown) => error);
        expect([method, (refusal as Refused).data]).toMatchObject([method, { confirm: 'passphrase' }]);
      }
      expect((await agent.ask('desk.list', {})).asks).toEqual([]);
      const decision = { ids: ['x'], answer: 'yes' as const };
      await expect(agent.ask('desk.decide', decision)).rejects.toThrow(/no longer waits/);
      expect(await standing()).toEqual(before);
      expect(await agent.ask('pause', {})).toEqual({ paused: true });
      await expect(agent.ask('resume', {})).rejects.toThrow(/owner passphrase/);
      const { secrets } = JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8'));
      await expect(agent.ask('resume', {}, secrets['passphrase/owner'].slice(0, 200))).rejects.toThrow(/not the owner/);
    },
    60_000,
  );

  test('by commands without a terminal of the owner’s, also after a restart, it gains nothing', async () => {
    const commands = [
      ['tokens', 'mint', '--name', 'x', '--scope', 'read-write'],
      ['connections', 'set', 'Shop', '--external-clients', 'read-only'],
      ['connections', 'set', 'Shop', '--external-clients', 'read-write', '--for', '1m'],
      ['connections', 'set', 'Shop', '--url', 'postgres://anna@evil.example/shop'],
      ['connections', 'set', 'Shop', '--databases', 'all'],
      ['connections', 'set', 'Shop', '--password-command', 'cat /etc/passwd'],
      ['connections', 'set', 'Shop', '--tls', 'disable'],
      ['settings', 'set', 'history.days', '1'],
      ['resume'],
    ];
    const before = await standing();
    for (const again of [false, true]) {
      if (again) {
        await home.run(['stop']);
        await home.run(['start'], { environment: { SALLYPORT_PASSPHRASE: 'off' } });
      }
      for (const words of commands) {
        const ran = await home.run(words, { stdin: `${passphrase}\n` });
        expect([words, ran.code]).toEqual([words, 1]);
        expect(ran.stderr).toContain('It needs the owner passphrase, which a person types on a terminal');
      }
      expect(await standing()).toEqual(before);
    }
    const denied = (
      await home.json<{ action: string; outcome: string }[]>(['activity', '--category', 'access'])
    ).filter(({ action, outcome }) => action === 'increase' && outcome === 'denied');
    expect(denied).toHaveLength(2 * commands.length);
  }, 120_000);

  test('status says what editing this user’s files can still do', async () => {
    const { passphrase: known, notes } = await home.json<StatusResult>(['status']);
    expect(known.state).toBe('set');
    expect(notes.map(noteText).join(' ')).toMatch(
      /guards Sallyport's commands, not your files: .* edits sallyport\.db, secrets\.json or .* can still change/,
    );
  });
});
