/**
 * An agent with a shell tries to have the daemon run a program of its choice, as a command that
 * prints a password or opens a tunnel. It tries each way that gives a connection such a command:
 * adding, changing, importing, restoring. The program leaves a mark.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommandParams } from '../../../shared/asked-commands.ts';
import { Refused } from '../../../shell-terminal/control-client.ts';
import { missingForTyping } from '../../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../../needs.ts';
import { type Agent, agentWithShell, passphrase, prompt } from './agent.ts';

needs(missingForTyping()).describe('an agent that wants the daemon to run its program', () => {
  let agent: Agent;
  let mark: string;
  let program: string;
  beforeAll(async () => {
    agent = await agentWithShell();
    mark = join(agent.home.folder, 'mark');
    program = `touch ${mark}; exit 1`;
  }, 120_000);
  afterAll(() => agent.clean());

  const saved = () => agent.home.json<{ readonly name: string }[]>(['connections', 'list']);

  /** A person's test and a client dial each saved connection; neither runs the program. */
  async function inVain(attempt: () => Promise<unknown>): Promise<void> {
    const before = await saved();
    await attempt();
    expect(await saved()).toEqual(before);
    for (const { name } of await saved()) await agent.run('connections', 'test', name);
    await agent.call(agent.fullAccess, 'execute_query', { connection: 'Remote', sql: 'select 1' });
    expect(existsSync(mark)).toBe(false);
  }

  const url = 'postgres://anna@127.0.0.1:1/shop';

  test.each<[string, () => readonly string[]]>([
    ['adds one for a tunnel', () => ['add', url, '--name', 'Mine', '--tunnel-command', `${program} # {port}`]],
    ['adds one for a password', () => ['add', url, '--name', 'Mine', '--password-command', program]],
    ['gives a connection one for a tunnel', () => ['set', 'Remote', '--tunnel-command', program]],
    ['gives a connection one for a password', () => ['set', 'Remote', '--password-command', program]],
    [
      'does so on the way to another place',
      () => ['set', 'Remote', '--url', url, '--tunnel-command', `{stdio} ${program}`],
    ],
    [
      'writes it into a URL',
      () => [
        'add',
        `${url}?tunnel-command=${encodeURIComponent(program)}`,
        '--name',
        'Mine',
        '--tunnel-command',
        program,
      ],
    ],
  ])(
    '%s',
    async (_, words) => {
      await inVain(async () => {
        const ran = await agent.run('connections', ...words());
        expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' });
        expect(ran.stderr).toMatch(/passphrase/);
      });
    },
    60_000,
  );

  test('can’t pass one as part of a URL', async () => {
    const parts = [
      'tunnel-command',
      'tunnelCommand',
      'tunnel',
      'passwordCommand',
      'password-command',
      'passfile',
      'options',
    ];
    for (const part of parts) {
      const pasted = `postgres://anna@127.0.0.1:1/shop?${part}=${encodeURIComponent(program)}`;
      await agent.run('connections', 'add', pasted, '--name', `By-${part}`);
    }
    for (const { name } of await saved()) await agent.run('connections', 'test', name);
    expect(existsSync(mark)).toBe(false);
    for (const part of parts) await agent.run('connections', 'remove', `By-${part}`);
  }, 60_000);

  test('asks the control socket itself, as a terminal and as the app', async () => {
    const endpoint = {
      engine: 'postgres',
      host: '127.0.0.1',
      port: 1,
      socketPath: null,
      filePath: null,
      database: null,
      user: null,
    } as const;
    const tunnel = { kind: 'command', command: program } as const;
    // An alias can have a ProxyCommand in ~/.ssh/config.
    const ssh = { kind: 'ssh', destination: 'alias', jumps: [], keyFile: null } as const;
    const attempts: CommandParams<'connections.save'>[] = [
      { name: 'Mine', endpoint, tunnel: ssh },
      { connection: 'Remote', tunnel: ssh },
      { name: 'Mine', endpoint, tunnel },
      { connection: 'Remote', tunnel },
      { connection: 'Remote', tunnel, externalClients: { level: 'blocked' } },
      { name: 'Mine', endpoint, password: tunnel },
    ];
    await inVain(async () => {
      for (const kind of ['terminal', 'app']) {
        const shell = await agent.forge(kind);
        for (const asked of attempts)
          for (const confirm of [undefined, 'app'] as const)
            await expect(shell.ask('connections.save', asked, undefined, confirm)).rejects.toThrow(Refused);
        shell.close();
      }
    });
  }, 60_000);

  test('hides it in a file that an import reads', async () => {
    const folder = join(agent.home.folder, '.local/share/DBeaverData/workspace6/General/.dbeaver');
    mkdirSync(folder, { recursive: true });
    const properties = { tunnelCommand: program, 'ssh-command': program };
    const configuration = {
      host: '127.0.0.1',
      port: '1',
      database: 'shop',
      user: 'anna',
      url: 'jdbc:postgresql://127.0.0.1:1/shop',
      properties,
      tunnelCommand: program,
      bootstrap: { initQueries: [] },
      events: { BEFORE_CONNECT: { command: program, enabled: true } },
    };
    writeFileSync(
      join(folder, 'data-sources.json'),
      JSON.stringify({ connections: { 'postgres-1': { provider: 'postgresql', name: 'Imported', configuration } } }),
    );
    await agent.run('connections', 'import');
    const typed = await agent.type(
      ['connections', 'import'],
      ['Enter skips: ', 'all'],
      ['[Imported]: ', ''],
      ['for none): ', ''],
      ['anyway? [y/N] ', 'y'],
    );
    expect(typed).toMatchObject({ code: 0 });
    expect((await saved()).map(({ name }) => name)).toContain('Imported');
    for (const { name } of await saved()) await agent.run('connections', 'test', name);
    expect(existsSync(mark)).toBe(false);
  }, 60_000);

  test('restores one that the owner has removed', async () => {
    const added = await agent.type(
      ['connections', 'set', 'Remote', '--tunnel-command', `${program} # {port}`],
      [prompt, passphrase],
    );
    expect(added.code).toBe(0);
    // The owner sees what they allow.
    expect(added.shown).toContain('runs a command on this computer, as you, for the tunnel of "Remote"');
    expect(added.shown).toMatch(/Tunnel command \| touch \S+mark/);
    expect((await agent.type(['connections', 'remove', 'Remote'], [prompt, passphrase])).code).toBe(0);
    const before = await saved();
    const restored = await agent.run('connections', 'restore', 'Remote');
    expect(restored.code).toBe(1);
    const typed = await agent.type(['connections', 'restore', 'Remote'], [prompt, '\u0003']);
    expect(typed.code).not.toBe(0);
    expect(typed.shown).toMatch(/Tunnel command \| touch \S+mark/);
    expect(await saved()).toEqual(before);
    expect(existsSync(mark)).toBe(false);
    // The mark works: when the owner agrees, the program runs.
    expect((await agent.type(['connections', 'restore', 'Remote'], [prompt, passphrase])).code).toBe(0);
    await agent.run('connections', 'test', 'Remote');
    expect(existsSync(mark)).toBe(true);
  }, 90_000);
});
