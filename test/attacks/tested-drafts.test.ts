/**
 * Threat: a program that has the shell secret, and no passphrase, tests a draft of a saved
 * connection, so that its password is sent to a server of the program's own, or a command of the
 * program's runs. The servers here are sockets that tell whether anything came.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommandParams } from '../../daemon/shells/commands.ts';
import { errorCodes } from '../../shared/codes.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { missingForTyping, runOnTerminal } from '../journeys/terminal/typed-on-a-terminal.ts';
import { needs } from '../needs.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { postgresAt } from '../shells/asking.ts';
import { expectWithin } from '../waiting/limits.ts';
import { forgedShell } from './agent-with-a-shell/forged-shell.ts';

const passphrase = 'correct horse battery';
const kept = 'geheim-und-lang';
const typed = 'typed-by-the-agent';

/** Asks for MD5 of the password, as a PostgreSQL server may, and keeps what it hears. */
interface Listener {
  readonly port: number;
  readonly server: Server;
  heard: string;
  connections: number;
}

function listener(): Promise<Listener> {
  const askForMd5 = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5]), salt]);
  const server = createServer(socket => {
    one.connections += 1;
    socket.on('error', () => {});
    socket.on('data', bytes => {
      one.heard += bytes.toString('latin1');
      if (bytes[0] === 0x70) socket.end();
      else socket.write(askForMd5);
    });
  });
  const one = { port: 0, server, heard: '', connections: 0 };
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(Object.assign(one, { port: (server.address() as AddressInfo).port })));
  });
}

const salt = Buffer.from('salt');

/** What a server hears of a password: enough to know which one it was. */
function proofOf(password: string): string {
  const md5 = (bytes: string) => createHash('md5').update(bytes, 'latin1').digest('hex');
  return `md5${md5(`${md5(`${password}anna`)}${salt.toString('latin1')}`)}`;
}

needs(missingForTyping()).describe('a draft of a saved connection', () => {
  let home: RealHome;
  let agent: ControlClient;
  let own: Listener;
  let evil: Listener;
  let ran: string;

  beforeAll(async () => {
    home = realHome(0, 'owner');
    ran = join(home.folder, 'ran');
    [own, evil] = await Promise.all([listener(), listener()]);
    await home.run(['start']);
    agent = await forgedShell(home.home, 'terminal');
    await agent.ask('connections.save', {
      name: 'Shop',
      endpoint: postgresAt('127.0.0.1', own.port),
      tls: { mode: 'disable' },
      password: { kind: 'stored', value: kept },
    });
    await agent.ask('connections.save', {
      name: 'Safe',
      endpoint: postgresAt('127.0.0.1', own.port),
      tls: { mode: 'verify-full' },
      password: { kind: 'stored', value: kept },
    });
    await agent.ask('connections.save', { name: 'Open', endpoint: postgresAt('127.0.0.1', own.port) });
    await runOnTerminal(
      home,
      ['passphrase', 'set'],
      [
        ['New owner passphrase: ', passphrase],
        ['again: ', passphrase],
      ],
    );
  }, 60_000);
  beforeEach(() => {
    for (const one of [own, evil]) Object.assign(one, { heard: '', connections: 0 });
  });
  afterAll(async () => {
    agent?.close();
    for (const one of [own, evil]) one?.server.close();
    await home?.clean();
  });

  type Draft = CommandParams<'connections.try'>;
  const toEvil = (): Draft['endpoint'] => postgresAt('127.0.0.1', evil.port);

  describe('without the passphrase nothing is dialled, and nothing runs', () => {
    const attempts: Record<string, () => Draft> = {
      'to another port': () => ({ connection: 'Shop', endpoint: toEvil() }),
      'to another host': () => ({ connection: 'Shop', endpoint: postgresAt('localhost', evil.port) }),
      'to another host in a list': () => ({
        connection: 'Shop',
        endpoint: postgresAt(`127.0.0.1:${evil.port},127.0.0.1:${own.port}`, own.port),
      }),
      'as another user': () => ({
        connection: 'Shop',
        endpoint: { ...postgresAt('127.0.0.1', own.port), user: 'postgres' },
      }),
      'to a socket': () => ({
        connection: 'Shop',
        endpoint: { ...postgresAt('x'), host: null, socketPath: join(home.folder, 's') },
      }),
      'with weaker TLS': () => ({ connection: 'Safe', tls: { mode: 'disable' } }),
      'with another CA': () => ({ connection: 'Safe', tls: { caFile: join(home.folder, 'ca.pem') } }),
      'through ssh': () => ({
        connection: 'Shop',
        tunnel: { kind: 'ssh', destination: `127.0.0.1:${evil.port}`, jumps: [], keyFile: null },
      }),
      'through ssh, with a password and an SSH password of its own': () => ({
        connection: 'Shop',
        password: { kind: 'stored', value: typed },
        sshPassword: typed,
        tunnel: { kind: 'ssh', destination: `127.0.0.1:${evil.port}`, jumps: [], keyFile: null },
      }),
      'through a command': () => ({
        connection: 'Shop',
        tunnel: { kind: 'command', command: `touch ${ran}; {stdio}` },
      }),
      'a password command': () => ({ connection: 'Open', password: { kind: 'command', command: `touch ${ran}` } }),
      'a new one with a password command': () => ({
        ...{ name: 'New', endpoint: toEvil(), tls: { mode: 'disable' } },
        password: { kind: 'command', command: `touch ${ran}` },
      }),
      'a new one through a command': () => ({
        ...{ name: 'New', endpoint: postgresAt('db') },
        tunnel: { kind: 'command', command: `touch ${ran}; {stdio}` },
      }),
      'a new one through ssh': () => ({
        ...{ name: 'New', endpoint: postgresAt('db') },
        tunnel: { kind: 'ssh', destination: `127.0.0.1:${evil.port}`, jumps: [], keyFile: null },
      }),
    };

    test.each(Object.entries(attempts))('%s', async (_, draft) => {
      const refusal = await agent.ask('connections.try', draft()).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Refused);
      expect(refusal).toMatchObject({ code: errorCodes.forbidden, data: { confirm: 'passphrase' } });
      expect((refusal as Refused).message).toMatch(/^This tests what is not saved, which for this test .*passphrase/);
      expect([own.connections, evil.connections, existsSync(ran)]).toEqual([0, 0, false]);
    });
  });

  test('with it the kept password goes to the other place, which was shown', async () => {
    const refusal = await agent
      .ask('connections.try', { connection: 'Shop', endpoint: toEvil() })
      .catch(error => error);
    expect(refusal.data.facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ label: 'Port', value: String(evil.port), former: String(own.port) }),
        expect.objectContaining({ label: 'Password', value: 'the one that is stored, which is sent there' }),
      ]),
    );
    await agent.ask('connections.try', { connection: 'Shop', endpoint: toEvil() }, passphrase);
    expect(evil.heard).toContain(proofOf(kept));
    expect(await agent.ask('connections.show', { connection: 'Shop' })).toMatchObject({ port: own.port, revision: 1 });
  });

  describe('free', () => {
    test('what is typed goes where it is typed for, and nothing that is kept goes along', async () => {
      await agent.ask('connections.try', {
        connection: 'Shop',
        endpoint: toEvil(),
        password: { kind: 'stored', value: typed },
      });
      expect(evil.heard).toContain(proofOf(typed));
      expect(evil.heard).not.toContain(kept);
      expect(evil.heard).not.toContain(proofOf(kept));
    });

    test('a new one', async () => {
      const draft = { name: 'New', endpoint: toEvil(), tls: { mode: 'disable' as const } };
      const tested = await agent.ask('connections.try', { ...draft, password: { kind: 'stored', value: typed } });
      expect(tested).toMatchObject({ reachable: false, name: 'New' });
      expect(evil.heard).toContain(proofOf(typed));
      expect((await agent.ask('connections.list', {})).connections).toHaveLength(3);
    });

    test('what is saved, with what is no part of dialling', async () => {
      await agent.ask('connections.try', { connection: 'Shop', name: 'Other', colour: 'red' });
      expect(own.heard).toContain(proofOf(kept));
      expect(await agent.ask('connections.show', { connection: 'Shop' })).toMatchObject({ name: 'Shop', colour: null });
    });
  });

  test('a server that never answers a draft keeps nobody’s yes or no waiting', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const other = await forgedShell(home.home, 'terminal');
    const draft = { name: 'New', endpoint: postgresAt('127.0.0.1', port), tls: { mode: 'disable' as const } };
    const hanging = Array.from({ length: 5 }, () => other.ask('connections.try', draft).catch(() => null));
    await once(silent, 'connection');
    const begun = performance.now();
    await agent.ask('settings.set', { key: 'limits.requestsPerMinute', value: 100 });
    expectWithin(begun, 5_000);
    other.close();
    await Promise.all(hanging);
    silent.close();
  }, 60_000);

  test('no secret of it is on record', async () => {
    const { stdout } = await home.run(['activity', '--json']);
    expect(stdout).toContain('connection.test');
    expect(stdout).toContain('not saved');
    expect(stdout).not.toContain(typed);
    expect(stdout).not.toContain(kept);
  });
});
