/**
 * SSH tunnels through the built daemon and commands: what a person types, what a client reads, what
 * remains when all of it ends.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AskView } from '../../shared/control-commands.ts';
import type { Note } from '../../shared/note.ts';
import { forgedShell } from '../attacks/agent-with-a-shell/forged-shell.ts';
import { waysToGetMore } from '../attacks/ways-to-get-more.ts';
import { modern, send } from '../clients/http/wire.ts';
import { needs } from '../needs.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { type SshHome, type SshServer, sshHome, sshUnavailable, startSshd } from '../servers/sshd.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { postgresAt } from '../shells/asking.ts';
import { SqliteFile } from '../sqlite-file.ts';
import { until } from '../waiting/until.ts';
import { processesIn } from './through-ssh.ts';

const found = findPostgres();

needs(sshUnavailable ?? ('unavailable' in found ? found.unavailable : null)).describe('a connection behind ssh', () => {
  let postgres: PostgresServer;
  let home: RealHome;
  let ssh: SshHome;
  let bastion: SshServer;

  beforeAll(async () => {
    postgres = await lendPostgres();
  }, 60_000);
  afterAll(() => postgres?.stop(), 60_000);
  beforeEach(async () => {
    home = realHome();
    ssh = sshHome(home.folder);
    bastion = await startSshd(ssh);
    // Started by hand it uses the given home, and so its ~/.ssh/config.
    home.spawnDaemon();
    await until(async () => (await home.here(['status'])).code === 0, 'the daemon answers');
  }, 60_000);
  afterEach(async () => {
    await home.clean();
    await bastion.kill();
    await ssh.clean();
  });

  const url = () => `postgres://${postgres.superuser}:${postgres.password}@127.0.0.1:${postgres.port}/postgres`;
  async function add(...words: string[]): Promise<void> {
    const ran = await home.here(['connections', 'add', url(), '--name', 'Shop', ...words]);
    if (ran.code !== 0) throw new Error(ran.stderr);
  }
  const knownHosts = () =>
    (existsSync(ssh.knownHosts) ? readFileSync(ssh.knownHosts, 'utf8').match(/\n/g) : null) ?? [];
  const folder = () => join(home.home, 'tunnels');
  const running = () => processesIn(folder());

  test('the person sees its host key and may accept it; a client isn’t told how', async () => {
    await add('--ssh', bastion.place);
    const unasked = await home.here(['connections', 'test', 'Shop']);
    expect(unasked.code).toBe(1);
    expect(unasked.stderr.replaceAll('\n', ' ')).toMatch(
      /nobody has confirmed the SSH host key of .*connections test Shop/,
    );

    const { token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'a client']);
    const { port } = await home.json<{ port: number }>(['status']);
    const call = modern(token, 'tools/call', {
      name: 'execute_query',
      arguments: { connection: 'Shop', sql: 'select 41 + 1 as answer' },
    });
    const refused = JSON.stringify(await send(`http://127.0.0.1:${port}/mcp`, call));
    expect(refused).toContain('nobody has confirmed the SSH host key of');
    expect(refused).not.toMatch(/sallyport connections|--ssh|administrator/);
    expect((await home.json<{ notes: Note[] }>(['status'])).notes).toContainEqual({
      code: 'host_key',
      sentence: expect.stringMatching(
        /^Nobody has confirmed the SSH host key of .*through which "Shop" goes; `sallyport connections test Shop` shows it\.$/,
      ),
    });

    const declined = await home.here(['connections', 'test', 'Shop'], { typed: [['Is that its key?', 'n']] });
    expect(declined.code).toBe(1);
    expect(declined.stdout).toContain(bastion.fingerprint);
    const taken = await home.here(['connections', 'test', 'Shop'], { typed: [['Is that its key?', 'y']] });
    expect(taken.stdout).toContain('Shop answers');
    expect((await home.here(['activity', '--json'])).stdout).toContain(
      `the SSH host key ${bastion.fingerprint} was confirmed`,
    );
    expect(JSON.stringify(await send(`http://127.0.0.1:${port}/mcp`, call))).toContain('42');
    expect((await home.json<{ notes: Note[] }>(['status'])).notes).not.toContainEqual(
      expect.objectContaining({ code: 'host_key' }),
    );
  }, 60_000);

  test.each([1, 2])(
    'a client’s call leaves a request about the host key, for the person to accept, over %i hops',
    async hops => {
      const inner = hops === 2 ? await startSshd(ssh) : null;
      const servers = [bastion, ...(inner === null ? [] : [inner])];
      await add('--ssh', servers.at(-1)?.place ?? '', ...(inner === null ? [] : ['--ssh-jump', bastion.place]));
      const { token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'a client']);
      const { port } = await home.json<{ port: number }>(['status']);
      const called = async (name: string, more = {}): Promise<string> =>
        JSON.stringify(
          await send(
            `http://127.0.0.1:${port}/mcp`,
            modern(token, 'tools/call', { name, arguments: { connection: 'Shop', ...more } }),
          ),
        );
      const query = () => called('execute_query', { sql: 'select 41 + 1 as answer' });
      for (const server of servers) {
        for (const answer of [await query(), await called('list_tables'), await query()]) {
          expect(answer).toContain('nobody has confirmed the SSH host key of');
          expect(answer).toContain('Only the user can allow it. It waits for them');
          expect(waysToGetMore(answer)).toEqual([]);
        }
        const [request, ...others] = await home.json<AskView[]>(['allow']);
        expect(others).toEqual([]);
        expect(request?.means).toContain(`ssh takes [127.0.0.1]:${server.port} (`);
        expect(request).toMatchObject({ lacks: 'host_key', statement: null, connection: { name: 'Shop' }, times: 3 });
        expect(request?.means).toContain(`for the server whose ED25519 host key is ${server.fingerprint},`);
        const left = await home.here(['allow'], { typed: [['or Enter to leave it waiting: ', '']] });
        expect(left.stdout.replaceAll(/\s+/g, ' ')).toContain(`ED25519 host key is ${server.fingerprint},`);
        expect(knownHosts()).toHaveLength(servers.indexOf(server));
        const taken = await home.here(['allow'], { typed: [['or Enter to leave it waiting: ', '1']] });
        expect(knownHosts()).toHaveLength(servers.indexOf(server) + 1);
        if (server === servers.at(-1)) expect(taken.stdout).toContain('Allowed.');
        else expect(taken.stderr.replaceAll(/\s+/g, ' ')).toContain('The key is trusted now, but the connection');
        expect((await home.here(['activity', '--json'])).stdout).toContain(
          `the SSH host key ${server.fingerprint} was confirmed`,
        );
      }
      expect(await query()).toContain('42');
      expect(await home.json(['allow'])).toEqual([]);
      await inner?.kill();
    },
    60_000,
  );

  test('the client hears a denial of a host key, and an approval at a test answers everything that waits for that key', async () => {
    await add('--ssh', bastion.place);
    const other = await home.here(['connections', 'add', url(), '--name', 'Other', '--ssh', bastion.place]);
    expect(other.code).toBe(0);
    const { token } = await home.json<{ token: string }>(['tokens', 'mint', '--name', 'a client']);
    const { port } = await home.json<{ port: number }>(['status']);
    const query = async (connection: string): Promise<string> =>
      JSON.stringify(
        await send(
          `http://127.0.0.1:${port}/mcp`,
          modern(token, 'tools/call', { name: 'execute_query', arguments: { connection, sql: 'select 41 + 1 as a' } }),
        ),
      );
    expect(await query('Shop')).toContain('It waits for them');
    const declined = await home.here(['allow'], { typed: [['or Enter to leave it waiting: ', '2']] });
    expect(declined.stdout).toContain('Refused.');
    expect(await query('Shop')).toContain('"refused"');
    expect(await query('Other')).toContain('It waits for them');
    expect(await home.json(['allow'])).toHaveLength(1);
    const taken = await home.here(['connections', 'test', 'Shop'], { typed: [['Is that its key?', 'y']] });
    expect(taken.stdout).toContain('Shop answers');
    expect(await home.json(['allow'])).toEqual([]);
    expect(await query('Other')).toContain('42');
    expect(await query('Shop')).toContain('42');
  }, 60_000);

  test('what is written into ~/.ssh/config later is followed once its person has trusted it, over a restart too', async () => {
    bastion.trust();
    const alias = `Host front\n  HostName 127.0.0.1\n  Port ${bastion.port}\n  IdentityFile "${ssh.keyFile}"`;
    ssh.configure(alias);
    await add('--ssh', 'front');
    expect((await home.here(['connections', 'test', 'Shop'])).stdout).toContain('Shop answers');
    const mark = join(home.folder, 'ran');
    ssh.configure(`${alias}\n  ProxyCommand /bin/bash -c 'touch ${mark}; exec 3<>/dev/tcp/%h/%p; cat <&3 & cat >&3'`);
    expect((await home.here(['stop'])).code).toBe(0);
    home.spawnDaemon();
    await until(async () => (await home.here(['status'])).code === 0, 'the daemon answers');
    const tested = await home.here(['connections', 'test', 'Shop']);
    expect(tested.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /what ~\/.ssh\/config says of the way to front is not what it was .*`sallyport connections trust Shop` shows what it says now/,
    );
    expect(existsSync(mark)).toBe(false);
    const notes = async () => (await home.json<{ notes: Note[] }>(['status'])).notes.map(({ code }) => code);
    expect(await notes()).toContain('ssh_configuration');
    expect(await home.json(['connections', 'show', 'Shop'])).not.toHaveProperty('sshConfigurationDigest');
    expect((await home.here(['connections', 'trust', 'Shop'])).stdout).toContain('Shop answers');
    expect(existsSync(mark)).toBe(true);
    expect(await notes()).not.toContain('ssh_configuration');
  }, 60_000);

  test('the tunnel is listed, shown, changed and removed', async () => {
    bastion.trust();
    await add('--ssh', 'front', '--ssh-jump', 'one,me@two:2222', '--ssh-key', ssh.keyFile);
    expect((await home.here(['connections', 'list'])).stdout).toContain('through ssh front');
    expect((await home.here(['connections', 'show', 'Shop'])).stdout).toContain(
      `ssh front through one, me@two:2222, key ${ssh.keyFile}`,
    );
    expect((await home.here(['connections', 'set', 'Shop', '--ssh', bastion.place])).code).toBe(0);
    expect((await home.here(['connections', 'test', 'Shop'])).stdout).toContain('Shop answers');
    expect((await home.here(['stop'])).code).toBe(0);
    home.spawnDaemon();
    await until(async () => (await home.here(['status'])).code === 0, 'the daemon answers');
    const tunnel = { kind: 'ssh', destination: bastion.place, jumps: [], keyFile: null };
    expect(await home.json(['connections', 'show', 'Shop'])).toMatchObject({ tunnel });
    // An older Sallyport only knows null here: it must not dial past the tunnel.
    const store = new SqliteFile(join(home.home, 'sallyport.db'));
    const rows = store.prepare('select record from connections').all();
    store.close();
    expect(rows.map(({ record }) => JSON.parse(String(record)).via)).toEqual([tunnel]);
    expect((await home.here(['connections', 'set', 'Shop', '--ssh', ''])).code).toBe(0);
    expect(await home.json(['connections', 'show', 'Shop'])).not.toHaveProperty('tunnel');
    await until(() => running().length === 0, 'its ssh has ended');
  }, 60_000);

  test('a draft is tried through a tunnel of its own, and nothing of it stays', async () => {
    ssh.configure('');
    const shell = await forgedShell(home.home, 'terminal');
    const endpoint = { ...postgresAt('127.0.0.1', postgres.port), user: postgres.superuser, database: 'postgres' };
    const draft = {
      ...{ name: 'Draft', endpoint, tls: { mode: 'disable' as const }, sshPassphrase: ssh.passphrase },
      password: { kind: 'stored' as const, value: postgres.password },
      tunnel: { kind: 'ssh' as const, destination: bastion.place, jumps: [], keyFile: ssh.lockedKeyFile },
    };
    const unknown = await shell.ask('connections.try', draft);
    expect(unknown).toMatchObject({ reachable: false, hostKey: { fingerprint: bastion.fingerprint } });
    const tried = await shell.ask('connections.try', { ...draft, hostKey: bastion.fingerprint });
    expect(tried).toMatchObject({ reachable: true, name: 'Draft', currentUser: postgres.superuser });
    await until(() => running().length === 0, 'its ssh has ended');
    const saved = await shell.ask('connections.save', { ...draft, name: 'Shop' });
    expect(await shell.ask('connections.test', { connection: saved.id })).toMatchObject({ reachable: true });
    const kept = running();
    const changed = { connection: saved.id, endpoint: { ...endpoint, database: 'template1' } };
    expect(await shell.ask('connections.try', changed)).toMatchObject({ currentDatabase: 'template1' });
    await until(() => running().length === kept.length, 'the ssh of the draft has ended');
    expect(running()).toEqual(kept);
    shell.close();
  }, 60_000);

  test('a person who adds it on a terminal sees the host key, and is asked for the passphrase of its key', async () => {
    ssh.configure('');
    const added = await home.here(
      ['connections', 'add', url(), '--name', 'Shop', '--ssh', bastion.place, '--ssh-key', ssh.lockedKeyFile],
      {
        typed: [
          ['Is that its key?', 'y'],
          ['Passphrase of the SSH key', ssh.passphrase],
        ],
      },
    );
    expect(added.stdout).toContain(bastion.fingerprint);
    expect(added.stdout).toContain('Shop answers');
    expect(added.stdout + added.stderr).not.toContain(ssh.passphrase);
  }, 60_000);

  test('a role is made through the tunnel, and the doctor names the connection and what blocks it', async () => {
    await add('--ssh', bastion.place);
    const unknown = (await home.here(['doctor', '--all'])).stdout.replaceAll(/\s+/g, ' ');
    expect(unknown).toMatch(/problem database Shop can't be reached: .*nobody has confirmed the SSH host key of/);
    expect(unknown).toContain(
      '`sallyport connections test Shop`, at a terminal, shows the key, and trusts it if you agree.',
    );
    expect(unknown).toContain('To do: start that server or its tunnel, or fix the connection.');
    bastion.trust();
    const made = await home.here(['connections', 'role', 'Shop', '--apply', '--yes', '--json']);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('"applied": true') });
    const shown = await home.json<{ user: string }>(['connections', 'show', 'Shop']);
    expect(shown).toMatchObject({ user: 'sallyport_ro_shop', tunnel: { destination: bastion.place } });
    expect((await home.here(['connections', 'test', 'Shop'])).stdout).toContain('Shop answers');
    expect((await home.here(['doctor', '--all'])).stdout).toMatch(/Shop answers: /);
    await bastion.kill();
    const gone = (await home.here(['doctor', '--all'])).stdout.replaceAll(/\s+/g, ' ');
    expect(gone).toMatch(/Shop can't be reached: .*the SSH server 127.0.0.1:\d+ can't be reached/);
  }, 90_000);

  test.each([
    [['--ssh=-oProxyCommand=x'], '--ssh: [user@]host[:port] is expected'],
    [['--ssh', 'a', '--ssh-jump', 'b;id'], '--ssh-jump: [user@]host[:port] is expected'],
    [['--ssh-jump', 'b'], '--ssh-jump needs --ssh'],
    [['--ssh', 'a', '--ssh-passphrase-stdin'], '--ssh-passphrase-stdin: the connection has no SSH key'],
    [['--ssh', 'a', '--ssh-password-stdin', '--password-stdin'], 'both read stdin'],
  ])('refused: %j', async (words, sentence) => {
    const ran = await home.here(['connections', 'add', 'postgres://app@db/shop', '--name', 'Shop', ...words], {
      stdin: 'x',
    });
    expect(ran.code).not.toBe(0);
    expect(ran.stderr.replaceAll('\n', ' ')).toContain(sentence);
  });

  test('the passphrase of its key is stored, and no file of the home contains it', async () => {
    bastion.trust();
    ssh.configure('');
    await add('--ssh', bastion.place, '--ssh-key', ssh.lockedKeyFile);
    const asked = await home.here(['connections', 'test', 'Shop']);
    expect(asked.stderr.replaceAll('\n', ' ')).toContain('has a passphrase, and none that fits is kept');
    const set = await home.here(['connections', 'set', 'Shop', '--ssh-passphrase-stdin'], { stdin: ssh.passphrase });
    expect(set.code).toBe(0);
    expect((await home.here(['connections', 'test', 'Shop'])).stdout).toContain('Shop answers');
  }, 60_000);

  test('the agent of the user that runs a command signs in from then on', async () => {
    bastion.trust();
    ssh.configure('Host *\n  IdentityFile /nonexistent');
    await add('--ssh', bastion.place);
    expect((await home.here(['connections', 'test', 'Shop'])).code).toBe(1);
    const agent = await ssh.startAgent([ssh.keyFile]);
    const told = await home.run(['connections', 'test', 'Shop'], { environment: { SSH_AUTH_SOCK: agent } });
    expect(told.stdout).toContain('Shop answers');
  }, 60_000);

  test.each(['removed', 'stopped', 'killed'] as const)(
    'nothing remains once it is %s',
    async how => {
      bastion.trust();
      await add('--ssh', bastion.place);
      expect((await home.here(['connections', 'test', 'Shop'])).stdout).toContain('Shop answers');
      const pids = running();
      expect(pids.length).toBeGreaterThan(0);
      if (how === 'removed') expect((await home.here(['connections', 'remove', 'Shop'])).code).toBe(0);
      if (how === 'stopped') expect((await home.here(['stop'])).code).toBe(0);
      if (how === 'killed') await home.end('SIGKILL');
      await until(() => pids.every(pid => !existsSync(`/proc/${pid}`)), 'ssh has ended');
      await until(() => !existsSync(folder()), 'the folder of its sockets is gone');
    },
    60_000,
  );
});
