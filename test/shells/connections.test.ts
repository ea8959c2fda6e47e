/**
 * The `connections.*` commands against real registers: defaults, changes, refusals, and where
 * passwords go (spec §6).
 */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommandParams } from '../../daemon/shells/commands.ts';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { postgresAt, shellOf, sqliteAt, sqliteFiles } from './asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from './daemon-in-process.ts';

const file = sqliteFiles();

let daemon: DaemonInProcess;
let shell: ControlClient;
beforeEach(async () => {
  daemon = await startDaemonInProcess();
  shell = await shellOf(daemon);
});
afterEach(async () => {
  shell.close();
  await daemon.end();
});

const save = (params: CommandParams<'connections.save'>) => shell.ask('connections.save', params);
const passwordOf = (id: string) => daemon.secrets.get(`password/${id}`);

describe('a new connection', () => {
  test('on PostgreSQL: verify-full for a host, its own database only, read only, always', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('db.example.com') });
    expect(made).toMatchObject({
      name: 'Shop',
      engine: 'postgres',
      host: 'db.example.com',
      port: 5432,
      databases: 'own',
      tls: { mode: 'verify-full', caFile: null },
      password: { kind: 'none' },
      revision: 1,
      externalClients: { level: 'readOnly', writeUntil: null, now: 'readOnly' },
      aiPolicy: 'always',
      tags: [],
      createdAt: '2026-11-20T12:00:00.000Z',
    });
    expect(daemon.dialled).toEqual([]);
  });

  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1'])(
    'TLS if the server has it, on loopback: %s',
    async host => {
      expect((await save({ name: 'a', endpoint: postgresAt(host) })).tls.mode).toBe('prefer');
    },
  );

  test.each([
    ['a CA file', { caFile: '/ca.pem' }],
    ['a client certificate', { clientCertificate: { certificateFile: '/c.pem', keyFile: '/k.pem' } }],
  ])('verify-full on loopback too if %s is named', async (_, tls) => {
    expect((await save({ name: 'a', endpoint: postgresAt('localhost'), tls })).tls.mode).toBe('verify-full');
  });

  test.each(['127.0.0.1.example.com', 'localhost.example.com', '128.0.0.1', '::2', '10.0.0.1'])(
    'TLS elsewhere: %s',
    async host => {
      expect((await save({ name: 'a', endpoint: postgresAt(host) })).tls.mode).toBe('verify-full');
    },
  );

  test('on a socket, on MySQL and on SQLite', async () => {
    const socket = { ...postgresAt('x'), host: null, socketPath: '/run/postgresql/.s.PGSQL.5432' };
    expect(await save({ name: 'a', endpoint: socket })).toMatchObject({ tls: { mode: 'disable' }, port: null });
    expect(await save({ name: 'b', endpoint: { ...postgresAt('h'), engine: 'mysql' } })).toMatchObject({
      port: 3306,
      databases: 'all',
      tls: { mode: 'verify-full' },
    });
    expect(await save({ name: 'c', endpoint: sqliteAt(file('shop.db')) })).toMatchObject({
      tls: { mode: 'disable' },
      port: null,
      databases: 'all',
      filePath: file('shop.db'),
    });
  });

  test('each field is stored and shown', async () => {
    const params: CommandParams<'connections.save'> = {
      name: 'Größe 数据',
      endpoint: postgresAt('db', 6432),
      tls: { mode: 'verify-ca', caFile: '/ca.pem' },
      databases: 'all',
      password: { kind: 'command', command: 'pass show db' },
      statementTimeoutSeconds: 20,
      rowLimit: 50,
      colour: 'red',
      group: 'Work',
      tags: ['eu', 'prod', 'eu'],
      externalClients: { level: 'readWrite', forSeconds: 3600 },
      aiPolicy: 'askEachTime',
    };
    const made = await save(params);
    expect(made).toMatchObject({
      name: 'Größe 数据',
      port: 6432,
      tls: { mode: 'verify-ca', caFile: '/ca.pem' },
      databases: 'all',
      password: { kind: 'command', command: 'pass show db' },
      statementTimeoutSeconds: 20,
      rowLimit: 50,
      colour: 'red',
      group: 'Work',
      tags: ['eu', 'prod'],
      externalClients: { level: 'readWrite', writeUntil: '2026-11-20T13:00:00.000Z', now: 'readWrite' },
      aiPolicy: 'askEachTime',
    });
    expect(await shell.ask('connections.show', { connection: 'GRÖSSE 数据'.replace('SS', 'ß') })).toEqual(made);
    daemon.now += 3_600_000;
    const { externalClients } = await shell.ask('connections.show', { connection: made.id });
    expect(externalClients).toMatchObject({ level: 'readWrite', now: 'readOnly' });
  });
});

describe('refused, and nothing is saved', () => {
  const refusals: Record<string, [CommandParams<'connections.save'> & Record<string, unknown>, RegExp]> = {
    'no name': [{ endpoint: postgresAt('h') }, /name: a new connection needs one/],
    'no endpoint': [{ name: 'a' }, /endpoint: a new connection needs one/],
    'an empty name': [{ name: '', endpoint: postgresAt('h') }, /name: 1 to 64 printable/],
    'a name of 65 characters': [{ name: 'x'.repeat(65), endpoint: postgresAt('h') }, /name: 1 to 64 printable/],
    'a name with a bidirectional override': [
      { name: 'a\u202eb', endpoint: postgresAt('h') },
      /name: 1 to 64 printable/,
    ],
    'a name with a line break': [{ name: 'a\nb', endpoint: postgresAt('h') }, /name: 1 to 64 printable/],
    'a name with a zero-width space': [{ name: 'a\u200bb', endpoint: postgresAt('h') }, /name: 1 to 64 printable/],
    'a name that ends with a space': [{ name: 'a ', endpoint: postgresAt('h') }, /name: no space/],
    'a name like an id': [{ name: '6f1c1d2e-0000-4000-8000-00000000000a', endpoint: postgresAt('h') }, /form of an id/],
    'a relative SQLite path': [{ name: 'a', endpoint: sqliteAt('shop.db') }, /filePath: an absolute path/],
    'Sallyport’s own file': [{ name: 'a', endpoint: sqliteAt('OWN') }, /Sallyport's own store/],
    'a host on SQLite': [{ name: 'a', endpoint: { ...sqliteAt('/a'), host: 'h' } }, /a file and nothing else/],
    'a password on SQLite': [
      { name: 'a', endpoint: sqliteAt('/a'), password: { kind: 'stored', value: 'hunter2' } },
      /SQLite file has no password/,
    ],
    'TLS on SQLite': [{ name: 'a', endpoint: sqliteAt('/a'), tls: { mode: 'require' } }, /SQLite file has no TLS/],
    'a host that is a path': [{ name: 'a', endpoint: postgresAt('/run/x') }, /host name or an address/],
    'a host and a socket': [
      { name: 'a', endpoint: { ...postgresAt('h'), socketPath: '/s' } },
      /a host or a socket, not both/,
    ],
    'neither host nor socket': [
      { name: 'a', endpoint: { ...postgresAt('h'), host: null } },
      /a host or a socket is needed/,
    ],
    'port 0': [{ name: 'a', endpoint: postgresAt('h', 0) }, /port from 1 to 65535/],
    'a CA file that nothing checks': [
      { name: 'a', endpoint: postgresAt('h'), tls: { mode: 'require', caFile: '/ca.pem' } },
      /checks no certificate/,
    ],
    'a CA file on this machine that nothing checks': [
      { name: 'a', endpoint: postgresAt('localhost'), tls: { mode: 'disable', caFile: '/ca.pem' } },
      /checks no certificate/,
    ],
    'a time for read only': [
      { name: 'a', endpoint: postgresAt('h'), externalClients: { level: 'readOnly', forSeconds: 9 } },
      /only readWrite ends/,
    ],
    'a row limit of 0': [{ name: 'a', endpoint: postgresAt('h'), rowLimit: 0 }, /rowLimit: 1 to 10000 rows/],
    'a time zone of its own': [
      { name: 'a', endpoint: postgresAt('h'), timeZone: "x'; select 1" },
      /timeZone: a time zone is/,
    ],
    'a time zone of a file': [
      {
        name: 'a',
        endpoint: {
          ...postgresAt('h'),
          engine: 'sqlite',
          host: null,
          port: null,
          database: null,
          user: null,
          filePath: '/x.db',
        },
        timeZone: 'UTC',
      },
      /an SQLite file has no time zone/,
    ],
    'a timeout of 301 s': [{ name: 'a', endpoint: postgresAt('h'), statementTimeoutSeconds: 301 }, /1 to 300 seconds/],
    'an unknown colour': [{ name: 'a', endpoint: postgresAt('h'), colour: 'mauve' }, /colour: one of red, orange/],
    'an empty password': [
      { name: 'a', endpoint: postgresAt('h'), password: { kind: 'stored', value: '' } },
      /not empty/,
    ],
    'a host that is none': [{ name: 'a', endpoint: postgresAt('u:hunter2@h') }, /host name or an address/],
    'a user with a password': [
      { name: 'a', endpoint: { ...postgresAt('h'), user: 'u:hunter2' } },
      /contain a password/,
    ],
    'a database with one': [
      { name: 'a', endpoint: { ...postgresAt('h'), database: 'd?password=hunter2' } },
      /endpoint.database: it seems to contain a password/,
    ],
    'a socket with one': [
      { name: 'a', endpoint: { ...postgresAt('h'), host: null, socketPath: '/run/pwd=hunter2' } },
      /endpoint.socketPath: it seems to contain a password/,
    ],
    'a file with one': [
      { name: 'a', endpoint: sqliteAt('/home/me/postgres:/u:hunter2@h/d'), create: true },
      /endpoint.filePath: it seems to contain a password/,
    ],
    'a name with one': [{ name: 'postgres://u:hunter2@h', endpoint: postgresAt('h') }, /name: it seems to/],
    'a tag with one': [{ name: 'a', endpoint: postgresAt('h'), tags: ['eu', 'Pwd = hunter2'] }, /tags.1: it seems/],
    'a group with one': [{ name: 'a', endpoint: postgresAt('h'), group: 'u:hunter2@h' }, /group: it seems to/],
    'a CA file with one': [
      { name: 'a', endpoint: postgresAt('h'), tls: { caFile: '/x/password=hunter2' } },
      /tls.caFile: it seems to/,
    ],
    'a file that is not there': [{ name: 'a', endpoint: sqliteAt('/nowhere/hunter2.db') }, /no file at that path/],
    'a server to be made': [
      { name: 'a', endpoint: postgresAt('h'), create: true },
      /only an SQLite file can be created/,
    ],
    'a passphrase without a client key': [
      { name: 'a', endpoint: postgresAt('h'), tls: { keyPassphrase: 'hunter2' } },
      /tls.keyPassphrase: the connection has no client key/,
    ],
    'a passphrase that is too long': [
      { name: 'a', endpoint: postgresAt('h'), tls: { keyPassphrase: 'hunter2'.repeat(147) } },
      /tls.keyPassphrase: a passphrase has at most 1024/,
    ],
    'a hop that is an option of ssh': [
      {
        name: 'a',
        endpoint: postgresAt('h'),
        tunnel: { kind: 'ssh', destination: '-oProxyCommand=x', jumps: [], keyFile: null },
      },
      /tunnel.destination: \[user@\]host\[:port\] is expected/,
    ],
    'a jump with a sign of the shell': [
      {
        name: 'a',
        endpoint: postgresAt('h'),
        tunnel: { kind: 'ssh', destination: 'b', jumps: ['a;id'], keyFile: null },
      },
      /tunnel.jumps.0: \[user@\]host\[:port\] is expected/,
    ],
    'a tunnel to a socket': [
      {
        name: 'a',
        endpoint: { ...postgresAt('h'), host: null, socketPath: '/run/x' },
        tunnel: { kind: 'ssh', destination: 'b', jumps: [], keyFile: null },
      },
      /tunnel: it leads to a host/,
    ],
    'a passphrase without an SSH key': [
      {
        name: 'a',
        endpoint: postgresAt('h'),
        tunnel: { kind: 'ssh', destination: 'b', jumps: [], keyFile: null },
        sshPassphrase: 'hunter2',
      },
      /sshPassphrase: the connection has no SSH key/,
    ],
    'an SSH password without a tunnel': [
      { name: 'a', endpoint: postgresAt('h'), sshPassword: 'hunter2' },
      /sshPassword: the connection has no SSH tunnel/,
    ],
    'an unknown field': [{ name: 'a', endpoint: postgresAt('h'), sudo: true }, /no field sudo/],
  };
  for (const [what, [params, sentence]] of Object.entries(refusals)) {
    test(what, async () => {
      const own =
        params.endpoint?.filePath === 'OWN' ? { ...params, endpoint: sqliteAt(`${daemon.home}/sallyport.db`) } : params;
      const failure = await save(own).then(
        () => 'saved',
        (error: Error) => error.message,
      );
      expect(failure).toMatch(sentence);
      expect(failure).not.toContain('hunter2');
      expect(daemon.savedConnections).toEqual([]);
      // The secrets that each of these tests' homes starts with.
      expect([...daemon.secrets.keys()]).toEqual(['passphrase/owner', 'shell/secret']);
    });
  }

  test('a taken name, in any case, which leaves the password unchanged', async () => {
    const first = await save({ name: 'Shop', endpoint: postgresAt('h'), password: { kind: 'stored', value: 'one' } });
    const second = await save({ name: 'Other', endpoint: postgresAt('h') });
    await expect(
      save({ name: 'SHOP', endpoint: postgresAt('h'), password: { kind: 'stored', value: 'two' } }),
    ).rejects.toMatchObject({ data: { code: 'name_taken', values: { connection: 'Shop' } } });
    await expect(save({ connection: 'Other', name: 'shop' })).rejects.toMatchObject({
      data: { code: 'name_taken', values: { connection: 'Shop' } },
    });
    expect(passwordOf(first.id)).toBe('one');
    expect(passwordOf(second.id)).toBeUndefined();
    expect((await save({ connection: 'shop', name: 'SHOP' })).name).toBe('SHOP');
  });

  test('a change to a missing connection', async () => {
    await expect(save({ connection: 'nope', rowLimit: 5 })).rejects.toMatchObject({
      data: { code: 'unknown_connection', values: { connection: 'nope' } },
    });
  });

  test('another engine under the same connection', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    await expect(save({ connection: 'Shop', endpoint: sqliteAt('/a.db') })).rejects.toThrow(
      "Shop is a PostgreSQL connection and can't become a SQLite one",
    );
  });
});

describe('passwords', () => {
  test('a stored one is only in the secret store', async () => {
    const made = await save({
      name: 'Shop',
      endpoint: postgresAt('h'),
      password: { kind: 'stored', value: 'hunter2' },
    });
    expect(passwordOf(made.id)).toBe('hunter2');
    const everything = JSON.stringify([
      made,
      daemon.savedConnections,
      await shell.ask('connections.list', {}),
      await shell.ask('connections.show', { connection: 'Shop' }),
      await shell.ask('status', {}),
    ]);
    expect(everything).not.toContain('hunter2');
    expect(made.password).toEqual({ kind: 'stored' });
  });

  test('a changed one is a new revision and ends the old sessions', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('h'), password: { kind: 'stored', value: 'one' } });
    await shell.ask('connections.test', { connection: 'Shop' });
    const changed = await save({ connection: 'Shop', password: { kind: 'stored', value: 'two' } });
    expect(changed.revision).toBe(2);
    expect(passwordOf(made.id)).toBe('two');
    expect(daemon.closedDatabases).toEqual([made.id]);
  });

  test('with another place at once: at no time does one go to the other', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('old'), password: { kind: 'stored', value: 'old' } });
    daemon.savedConnections.length = 0;
    const { write } = daemon.ports.secrets;
    const kept: string[] = [];
    daemon.ports.secrets.write = async (...written) => {
      kept.push(JSON.stringify(daemon.savedConnections.map(({ host, password }) => [host, password.kind])));
      await write(...written);
    };
    const moved = await save({
      connection: 'Shop',
      endpoint: postgresAt('new'),
      password: { kind: 'stored', value: 'new' },
    });
    // First where only the new place reads it, before anybody does; then, once nothing dials the
    // old one, in its own place.
    expect(kept).toEqual(['[]', '[["new","stored"]]']);
    expect(daemon.savedConnections.map(({ host, password }) => [host, password.kind])).toEqual([['new', 'stored']]);
    expect(passwordOf(made.id)).toBe('new');
    expect(moved.revision).toBeGreaterThan(made.revision);
    expect(daemon.savedConnections.at(-1)?.revision).toBe(moved.revision);
  });

  test('with another place, undone: the former one is never read for the new place', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('old'), password: { kind: 'stored', value: 'old' } });
    const secrets = daemon.ports.secrets;
    const { write, delete: remove } = secrets;
    const [hosts, awaited]: [(string | null)[], string[]] = [[], []];
    secrets.write = async (kind, id, value) => {
      if (id === made.id && value === 'new') throw new Error('no room');
      if (id !== made.id) awaited.push(id);
      await write(kind, id, value);
    };
    secrets.delete = async (kind, id) => {
      if (awaited.includes(id)) hosts.push(daemon.savedConnections.at(-1)?.host ?? null);
      await remove(kind, id);
    };
    const moved = {
      connection: 'Shop',
      endpoint: postgresAt('new'),
      password: { kind: 'stored', value: 'new' },
    } as const;
    await expect(save(moved)).rejects.toThrow();
    expect(awaited).toHaveLength(1);
    expect(hosts).toEqual(['old']);
    expect(passwordOf(made.id)).toBe('old');
  });

  test('a removed one, or one replaced by a command, leaves the store', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('h'), password: { kind: 'stored', value: 'one' } });
    expect((await save({ connection: 'Shop', password: { kind: 'command', command: 'pass db' } })).revision).toBe(2);
    expect(passwordOf(made.id)).toBeUndefined();
    await save({ connection: 'Shop', password: { kind: 'stored', value: 'two' } });
    expect(await save({ connection: 'Shop', password: { kind: 'none' } })).toMatchObject({
      password: { kind: 'none' },
    });
    expect(passwordOf(made.id)).toBeUndefined();
  });

  test('are kept with their removed connection', async () => {
    const made = await save({ name: 'Shop', endpoint: postgresAt('h'), password: { kind: 'stored', value: 'one' } });
    await shell.ask('connections.test', { connection: 'Shop' });
    expect(await shell.ask('connections.delete', { connection: 'shop' })).toEqual({
      id: made.id,
      name: 'Shop',
      keptUntil: '2026-11-27T12:00:00.000Z',
    });
    expect(passwordOf(made.id)).toBe('one');
    expect(daemon.closedDatabases).toEqual([made.id]);
    expect(await shell.ask('connections.list', {})).toEqual({ connections: [], next: null });
    await expect(shell.ask('connections.delete', { connection: 'Shop' })).rejects.toMatchObject({
      data: { code: 'unknown_connection' },
    });
  });
});

describe('the passphrase of a client key', () => {
  const clientCertificate = { certificateFile: '/a.crt', keyFile: '/a.key' };
  const made = () =>
    save({ name: 'Shop', endpoint: postgresAt('h'), tls: { clientCertificate, keyPassphrase: 'hunter2' } });
  const passphraseOf = (id: string) => daemon.secrets.get(`keyPassphrase/${id}`);

  test('is only in the secret store', async () => {
    const saved = await made();
    expect(passphraseOf(saved.id)).toBe('hunter2');
    expect(saved.tls).toEqual({ mode: 'verify-full', caFile: null, clientCertificate });
    const listed = await shell.ask('connections.list', {});
    expect(JSON.stringify([saved, daemon.savedConnections, listed])).not.toContain('hunter2');
  });

  test('stays with a renewed certificate; a changed one is a new revision', async () => {
    const { id } = await made();
    const renewed = { ...clientCertificate, certificateFile: '/b.crt' };
    await save({ connection: 'Shop', tls: { clientCertificate: renewed } });
    expect(passphraseOf(id)).toBe('hunter2');
    expect((await save({ connection: 'Shop', tls: { keyPassphrase: 'hunter3' } })).revision).toBe(3);
    expect(passphraseOf(id)).toBe('hunter3');
  });

  test('leaves with the certificate', async () => {
    const { id } = await made();
    await save({ connection: 'Shop', tls: { clientCertificate: null } });
    expect(passphraseOf(id)).toBeUndefined();
  });

  test('is kept with a removed connection', async () => {
    const { id } = await made();
    await shell.ask('connections.delete', { connection: 'Shop' });
    expect(passphraseOf(id)).toBe('hunter2');
  });

  test('stays as it was if the rest can’t be saved', async () => {
    const { id } = await made();
    await save({ name: 'Other', endpoint: postgresAt('h') });
    const half = save({ connection: 'Shop', name: 'Other', tls: { keyPassphrase: 'hunter3' } });
    await expect(half).rejects.toMatchObject({ data: { code: 'name_taken' } });
    daemon.ports.connections.save = () => Promise.reject(new Error('no room'));
    await expect(save({ connection: 'Shop', tls: { keyPassphrase: 'hunter3' } })).rejects.toThrow();
    expect(passphraseOf(id)).toBe('hunter2');
  });
});

describe('a change', () => {
  test('of policy keeps the revision and everything else', async () => {
    const made = await save({
      name: 'Shop',
      endpoint: postgresAt('h'),
      group: 'Work',
      tags: ['a'],
      password: { kind: 'stored', value: 'x' },
    });
    daemon.now += 1_000;
    const changed = await save({ connection: 'Shop', externalClients: { level: 'blocked' }, aiPolicy: 'never' });
    expect(changed).toEqual({
      ...made,
      externalClients: { level: 'blocked', writeUntil: null, now: 'blocked' },
      aiPolicy: 'never',
      updatedAt: '2026-11-20T12:00:01.000Z',
    });
    expect(await save({ connection: 'Shop', group: null, tags: [] })).toMatchObject({
      group: null,
      tags: [],
      revision: 1,
    });
  });

  test('of the place gets the TLS default there; TLS chosen for one place doesn’t go along to another', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('localhost') });
    expect(await save({ connection: 'Shop', endpoint: postgresAt('db.example.com') })).toMatchObject({
      tls: { mode: 'verify-full' },
      revision: 2,
    });
    expect((await save({ connection: 'Shop', tls: { mode: 'disable' } })).tls.mode).toBe('disable');
    expect((await save({ connection: 'Shop', endpoint: postgresAt('db.example.com', 6432) })).tls.mode).toBe('disable');
    expect((await save({ connection: 'Shop', endpoint: postgresAt('db2.example.com') })).tls.mode).toBe('verify-full');
  });

  test('to the same values is no new revision', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h'), databases: 'all' });
    expect((await save({ connection: 'Shop', endpoint: postgresAt('h', 5432), databases: 'all' })).revision).toBe(1);
  });

  test('many at once never lose one', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    await Promise.all([
      save({ connection: 'Shop', group: 'G' }),
      save({ connection: 'Shop', rowLimit: 7 }),
      save({ connection: 'Shop', colour: 'blue' }),
      save({ connection: 'Shop', tags: ['t'] }),
    ]);
    expect(await shell.ask('connections.show', { connection: 'Shop' })).toMatchObject({
      group: 'G',
      rowLimit: 7,
      colour: 'blue',
      tags: ['t'],
    });
  });
});

describe('a test', () => {
  test('dials and reports the result', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    expect(await shell.ask('connections.test', { connection: 'shop' })).toMatchObject({
      reachable: true,
      name: 'Shop',
      serverVersion: 'Test 1.0',
      currentUser: 'anna',
    });
    expect(daemon.dialled.map(({ name }) => name)).toEqual(['Shop']);
  });

  test('reports why not', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    daemon.dial = async () => ({ kind: 'query_failed', message: 'password authentication failed', code: '28P01' });
    expect(await shell.ask('connections.test', { connection: 'Shop' })).toEqual({
      reachable: false,
      name: 'Shop',
      problem: 'password authentication failed (28P01)',
    });
    expect(daemon.recorded.at(-1)).toMatchObject({
      action: 'connection.test',
      outcome: 'error',
      reason: "it can't be reached",
    });
  });

  test.each([
    'Could not connect to h:5432: the server has no TLS, and the connection asks for TLS mode verify-full.',
    "The server at h:3306 offers no TLS, which this connection's TLS mode asks for.",
  ])('tells the person, and nobody else, how to do without TLS: %s', async message => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    daemon.dial = async () => ({ kind: 'not_connected', message, problem: 'no_tls' });
    const { problem } = (await shell.ask('connections.test', { connection: 'Shop' })) as { problem: string };
    expect(problem.slice(0, message.length)).toBe(message);
    expect(problem.slice(message.length)).toMatch(/--tls prefer or --tls disable, .*in clear text/);
  });

  test('is given up when the shell leaves', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    const aborted = new Promise<void>(resolve => {
      daemon.dial = (_, signal) =>
        new Promise(answer => {
          signal.addEventListener('abort', () => {
            resolve();
            answer({ kind: 'cancelled' });
          });
          shell.close();
        });
    });
    await expect(shell.ask('connections.test', { connection: 'Shop' })).rejects.toThrow('ended the connection');
    await aborted;
  });

  test('a fault of the daemon’s own goes to its log, not to the shell', async () => {
    await save({ name: 'Shop', endpoint: postgresAt('h') });
    daemon.dial = async () => {
      throw new Error('a secret detail');
    };
    await expect(shell.ask('connections.test', { connection: 'Shop' })).rejects.toThrow('an internal error');
    expect(daemon.reported).toEqual([new Error('a secret detail')]);
  });
});

test('a thousand connections come in pages, each once', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `Connection ${String(index).padStart(4, '0')}`);
  for (const name of names)
    await save({ name, endpoint: postgresAt('h'), group: 'x'.repeat(60), tags: ['y'.repeat(30), 'z'.repeat(30)] });
  const listed: string[] = [];
  let pages = 0;
  for (let from: number | null = 0; from !== null; pages++) {
    const page: { connections: readonly { name: string }[]; next: number | null } = await shell.ask(
      'connections.list',
      { from },
    );
    listed.push(...page.connections.map(({ name }) => name));
    from = page.next;
  }
  expect(listed).toEqual(names);
  expect(pages).toBeGreaterThan(1);
  // Each is answered once its row is written.
}, 120_000);

describe('the demo', () => {
  test('is a connection, made once, refreshed afterwards', async () => {
    const made = await shell.ask('demo.create', {});
    expect(made).toMatchObject({ name: 'Demo', engine: 'sqlite', filePath: `${daemon.home}/demo.db` });
    await save({ connection: 'Demo', externalClients: { level: 'blocked' } });
    const again = await shell.ask('demo.create', {});
    expect(again).toMatchObject({ id: made.id, externalClients: { level: 'blocked' } });
    expect((await shell.ask('connections.list', {})).connections).toHaveLength(1);
  });

  test('never replaces another connection of that name', async () => {
    await save({ name: 'demo', endpoint: postgresAt('h') });
    await expect(shell.ask('demo.create', {})).rejects.toThrow('another connection is called "demo"');
  });
});
