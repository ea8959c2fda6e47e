/**
 * An agent with a terminal and no passphrase wants clients to reach what the person kept from them: it removes such a connection and
 * saves it anew, or saves the same database a second time, under another name or by another path or host.
 */

import { linkSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Asked } from '../../daemon/shells/commands.ts';
import { samePlaceNotes } from '../../daemon/status.ts';
import { type ControlClient, Refused } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf, sqliteAt, sqliteFiles } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';

const file = sqliteFiles();
const passphrase = 'correct horse battery';
const day = 86_400_000;

let daemon: DaemonInProcess;
let agent: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  agent = await shellOf(daemon);
});
afterEach(async () => {
  agent.close();
  await daemon.end();
});

const kept: readonly [string, Pick<Asked<'connections.save'>, 'externalClients' | 'aiPolicy'>][] = [
  ['blocked', { externalClients: { level: 'blocked' } }],
  ['never', { aiPolicy: 'never' }],
  ['ask each time', { aiPolicy: 'askEachTime' }],
];

/** The person saves it as they want it, then chooses the passphrase. */
async function saved(params: Asked<'connections.save'>): Promise<void> {
  await agent.ask('connections.save', params);
  await agent.ask('passphrase.set', { passphrase });
}

/** @returns why it is a privilege increase. */
async function needsPassphrase(asking: Promise<unknown>): Promise<string> {
  const refusal = await asking.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(refusal instanceof Refused)) throw refusal ?? new Error('it was done');
  expect(refusal.data).toMatchObject({ confirm: 'passphrase' });
  return refusal.message;
}

const names = async () => (await agent.ask('connections.list', {})).connections.map(({ name }) => name);

describe.each(kept)('a database that is kept from clients (%s)', (_, rule) => {
  test('is not saved a second time', async () => {
    const path = file('second.db');
    await saved({ name: 'Shop', endpoint: sqliteAt(path), ...rule });
    const again = { name: 'Copy', endpoint: sqliteAt(path) };
    expect(await needsPassphrase(agent.ask('connections.save', again))).toContain('"Shop"');
    expect(await names()).toEqual(['Shop']);
    expect(await agent.ask('connections.save', again, passphrase)).toMatchObject({ name: 'Copy' });
  });

  test('is not removed and saved anew, under its name or another', async () => {
    const path = file('anew.db');
    await saved({ name: 'Shop', endpoint: sqliteAt(path), ...rule });
    await agent.ask('connections.delete', { connection: 'Shop' });
    for (const name of ['Shop', 'Other']) {
      const said = await needsPassphrase(agent.ask('connections.save', { name, endpoint: sqliteAt(path) }));
      expect(said).toContain('which was removed');
    }
    expect(await names()).toEqual([]);
  });

  test('is not brought back', async () => {
    await saved({ name: 'Shop', endpoint: sqliteAt(file('back.db')), ...rule });
    await agent.ask('connections.delete', { connection: 'Shop' });
    const said = await needsPassphrase(agent.ask('connections.restore', { connection: 'Shop' }));
    expect(said).toContain('brings back "Shop", which was removed');
    expect(await names()).toEqual([]);
  });

  test('is not what a connection is moved to', async () => {
    const path = file('target.db');
    await agent.ask('connections.save', { name: 'Shop', endpoint: sqliteAt(path), ...rule });
    await saved({ name: 'Mine', endpoint: sqliteAt(file('mine.db')) });
    const move = agent.ask('connections.save', { connection: 'Mine', endpoint: sqliteAt(path) });
    expect(await needsPassphrase(move)).toContain('"Shop"');
  });
});

describe('a blocked file', () => {
  const blocked = { externalClients: { level: 'blocked' } } as const;

  test.each<[string, (path: string) => string]>([
    ['a symbolic link', path => made(path, link => symlinkSync(path, link))],
    ['a hard link', path => made(path, link => linkSync(path, link))],
    [
      'a folder that is a symbolic link',
      path => {
        const folder = made(path, link => symlinkSync(dirname(path), link));
        return join(folder, path.slice(dirname(path).length + 1));
      },
    ],
    ['dots in its path', path => join(dirname(path), 'x').concat('/../', path.slice(dirname(path).length + 1))],
  ])('is not saved by %s', async (_, otherPath) => {
    const path = file('linked.db');
    mkdirSync(join(dirname(path), 'x'), { recursive: true });
    await saved({ name: 'Shop', endpoint: sqliteAt(path), ...blocked });
    await needsPassphrase(agent.ask('connections.save', { name: 'Copy', endpoint: sqliteAt(otherPath(path)) }));
    await agent.ask('connections.delete', { connection: 'Shop' });
    await needsPassphrase(agent.ask('connections.save', { name: 'Copy', endpoint: sqliteAt(otherPath(path)) }));
    expect(await names()).toEqual([]);
  });

  test('that the person removed is not saved anew, though clients could read it', async () => {
    const path = file('removed.db');
    await saved({ name: 'Shop', endpoint: sqliteAt(path) });
    daemon.now += 3_600_000;
    await agent.ask('connections.delete', { connection: 'Shop' });
    await needsPassphrase(agent.ask('connections.save', { name: 'Shop', endpoint: sqliteAt(path) }));
    expect(await names()).toEqual([]);
  });

  test('that was just added, did not answer and was removed is saved anew', async () => {
    const path = file('set-up.db');
    await agent.ask('connections.save', { name: 'Shop', endpoint: sqliteAt(path) });
    await agent.ask('connections.delete', { connection: 'Shop' });
    await agent.ask('connections.save', { name: 'Shop', endpoint: sqliteAt(path) });
    expect(await names()).toEqual(['Shop']);
  });

  test('that is missing is known by its path', async () => {
    const path = file('missing.db');
    await saved({ name: 'Shop', endpoint: sqliteAt(path), ...blocked });
    unlinkSync(path);
    const anew = { name: 'Copy', endpoint: sqliteAt(path), create: true };
    await needsPassphrase(agent.ask('connections.save', anew));
    expect(await names()).toEqual(['Shop']);
  });

  let links = 0;
  function made(path: string, link: (at: string) => void): string {
    const at = `${path}.link-${links++}`;
    link(at);
    return at;
  }
});

describe('a blocked server', () => {
  const socket = { ...postgresAt('x'), host: null, socketPath: '/run/postgresql/.s.PGSQL.5432' };
  test.each([
    ['localhost', postgresAt('localhost'), postgresAt('127.0.0.1')],
    ['localhost, at its port', postgresAt('localhost'), postgresAt('127.0.0.1', 5432)],
    ['::1', postgresAt('127.0.0.1'), postgresAt('::1')],
    ['a socket', postgresAt('localhost'), socket],
    ['an address in short', postgresAt('localhost'), postgresAt('127.1')],
    ['an address as a number', postgresAt('127.0.0.1'), postgresAt('2130706433')],
    ['an address within IPv6', postgresAt('127.0.0.1'), postgresAt('::ffff:127.0.0.1')],
    ['an address with a zone', postgresAt('127.0.0.1'), postgresAt('::1%lo')],
    ['the address of any', postgresAt('localhost'), postgresAt('0.0.0.0')],
    ['another case', postgresAt('db.example'), postgresAt('DB.Example')],
    ['a dot at the end', postgresAt('db.example'), postgresAt('db.example.')],
    ['a list', postgresAt('db.example'), postgresAt('other.example:6000,db.example:5432', 6_000)],
    ['one of a list', postgresAt('one.example,two.example:6000'), postgresAt('two.example', 6_000)],
    ['another database and user', postgresAt('h'), { ...postgresAt('h'), database: 'other', user: 'bob' }],
  ])('is not reached as %s', async (_, endpoint, again) => {
    await saved({ name: 'Shop', endpoint, externalClients: { level: 'blocked' } });
    expect(await needsPassphrase(agent.ask('connections.save', { name: 'Copy', endpoint: again }))).toContain('"Shop"');
    await agent.ask('connections.delete', { connection: 'Shop' });
    await needsPassphrase(agent.ask('connections.save', { name: 'Shop', endpoint: again }));
    expect(await names()).toEqual([]);
  });

  test('leaves others free: another host, port or engine, and whatever clients may use no more', async () => {
    await saved({ name: 'Shop', endpoint: postgresAt('localhost'), externalClients: { level: 'blocked' } });
    const free: Asked<'connections.save'>[] = [
      { name: 'Host', endpoint: postgresAt('db.example') },
      { name: 'Port', endpoint: postgresAt('localhost', 5433) },
      { name: 'Engine', endpoint: { ...postgresAt('localhost', 5432), engine: 'mysql' } },
      { name: 'Blocked too', endpoint: postgresAt('localhost'), externalClients: { level: 'blocked' } },
      { name: 'Never', endpoint: postgresAt('localhost'), aiPolicy: 'never' },
    ];
    for (const params of free) await agent.ask('connections.save', params);
  });

  test('is forgotten seven days after it was removed', async () => {
    await saved({ name: 'Shop', endpoint: postgresAt('h'), externalClients: { level: 'blocked' } });
    await agent.ask('connections.delete', { connection: 'Shop' });
    daemon.now += 7 * day - 1;
    await needsPassphrase(agent.ask('connections.save', { name: 'Shop', endpoint: postgresAt('h') }));
    daemon.now += 1;
    await agent.ask('connections.save', { name: 'Shop', endpoint: postgresAt('h') });
  });
});

test('a database that clients may read is saved a second time by anybody', async () => {
  await saved({ name: 'Shop', endpoint: postgresAt('h') });
  await agent.ask('connections.save', { name: 'Copy', endpoint: postgresAt('h') });
  await agent.ask('connections.delete', { connection: 'Shop' });
  await agent.ask('connections.save', { name: 'Shop', endpoint: postgresAt('h') });
});

describe('Demo', () => {
  test('that was blocked and removed does not come back by `demo`', async () => {
    const { id } = await agent.ask('demo.create', {});
    await saved({ connection: id, externalClients: { level: 'blocked' } });
    await agent.ask('connections.delete', { connection: 'Demo' });
    expect(await needsPassphrase(agent.ask('demo.create', {}))).toContain('"Demo", which was removed');
    expect(await names()).toEqual([]);
    expect(await agent.ask('demo.create', {}, passphrase)).toMatchObject({ externalClients: { now: 'readOnly' } });
  });

  test('that is blocked stays so', async () => {
    const { id } = await agent.ask('demo.create', {});
    await saved({ connection: id, externalClients: { level: 'blocked' }, aiPolicy: 'never' });
    expect(await agent.ask('demo.create', {})).toMatchObject({
      ...{ id, externalClients: { now: 'blocked' }, aiPolicy: 'never' },
    });
  });
});

describe('a connection saved before its place was blocked', () => {
  test('is named by status, where it is the same database', async () => {
    const [path, copy] = [file('before.db'), file('before-copy.db')];
    unlinkSync(copy);
    symlinkSync(path, copy);
    await agent.ask('connections.save', { name: 'Copy', endpoint: sqliteAt(copy) });
    await agent.ask('connections.save', {
      name: 'Shop',
      endpoint: sqliteAt(path),
      externalClients: { level: 'blocked' },
    });
    await agent.ask('connections.save', { name: 'Other', endpoint: sqliteAt(file('other.db')) });
    const { connections, fileIdentity, now } = daemon.ports;
    expect(samePlaceNotes(connections.list(), now(), fileIdentity)).toEqual([
      'AI clients may use "Copy", which leads to the same place as "Shop", which you keep from them. Block it too, or remove it, if that isn\'t meant.',
    ]);
    await agent.ask('connections.save', { connection: 'Copy', externalClients: { level: 'blocked' } });
    expect(samePlaceNotes(connections.list(), now(), fileIdentity)).toEqual([]);
  });
});
