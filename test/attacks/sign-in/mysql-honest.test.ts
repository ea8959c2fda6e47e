/**
 * The servers whose place others take: their sign-ins go on without a question. And what stands
 * between a client and them.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TlsMode } from '../../../daemon/access/connection.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { packet } from '../../engines/mysql/fake-server.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { type Home, homeWith, statement } from './mysql-home.ts';
import { fast, full, ok, ownKey, startImpostor, startRelay, switchTo } from './mysql-impostor.ts';

const password = 'right-Zq7';

needs(mariadbUnavailable()).describe('the server itself', () => {
  let server: MariadbServer;
  /** As in `11.8.2`. */
  let version = '';

  beforeAll(async () => {
    server = await startMariadb();
    version = (await server.ask('select version()')).trim();
    for (const user of [
      'tls',
      'clear',
      'socket',
      'other',
      'struck',
      'relayed',
      'local',
      'fresh',
      'altered',
      'verified',
    ])
      await server.client(
        `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'; CREATE USER ${user}@localhost IDENTIFIED BY '${password}'`,
      );
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
  });

  const hasParsec = (): boolean => /^(1[2-9]|11\.([6-9]|\d\d))/.test(version) && !isMysql();

  test.each(['prefer', 'disable'] as const)('MariaDB’s parsec, %s', async mode => {
    if (!hasParsec()) return;
    await server.ask("INSTALL PLUGIN IF NOT EXISTS parsec SONAME 'auth_parsec'");
    const user = `parsec_${mode}`;
    await server.client(`CREATE USER ${user}@'127.0.0.1' IDENTIFIED VIA parsec USING PASSWORD('${password}')`);
    const saved = await home(user, mode);
    expect(await saved.person()).toBe('42');
    expect(await saved.client()).toBe('42');
    expect(saved.known()).toMatchObject([{ method: mode === 'prefer' ? 'proves_line' : 'guessable' }]);
    const wrong = await homeWith({ port: server.port, user, tls: { mode, caFile: null } }, 'another password');
    expect(await wrong.client()).toMatch(/Access denied/);
  });

  const home = (user: string, mode: TlsMode = 'prefer', place = {}): Promise<Home> =>
    homeWith({ port: server.port, user, tls: { mode, caFile: null }, ...place }, password);
  const provesItself = (): boolean => /^(1[2-9]|11\.([4-9]|\d\d))/.test(version) && !isMysql();

  test.each([
    ['tls', 'prefer', {}],
    ['clear', 'disable', {}],
    ['socket', 'disable', { host: null, port: null }],
  ] as const)(
    '%s: no question after FLUSH PRIVILEGES, ALTER USER and a restart',
    async (user, mode, place) => {
      const saved = await home(user, mode, user === 'socket' ? { ...place, socketPath: server.socketPath } : place);
      expect(await saved.person()).toBe('42');
      for (const change of [
        () => server.client('FLUSH PRIVILEGES'),
        () => server.client(`ALTER USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'`),
        () => server.restart(),
        // With a certificate that MariaDB makes anew.
        ...(provesItself() ? [() => server.restart(['--ssl-ca=', '--ssl-cert=', '--ssl-key='])] : []),
        () => server.restart(),
      ]) {
        await change();
        expect(await saved.client()).toBe('42');
        expect(await saved.client()).toBe('42');
      }
    },
    120_000,
  );

  test('over verified TLS nobody need have tested it, and what is shown there stays', async () => {
    const place = { tls: { mode: 'verify-full', caFile: server.certificates.caFile } } as const;
    const saved = await home('verified', 'verify-full', place);
    for (const change of [
      async () => {},
      () => server.client('FLUSH PRIVILEGES'),
      () => server.client(`ALTER USER verified@'127.0.0.1' IDENTIFIED BY '${password}'`),
      () => server.restart(),
    ]) {
      await change();
      expect(await saved.client()).toBe('42');
      expect(await saved.client()).toBe('42');
    }
    const line = provesItself() ? 'proves_line' : isMysql() ? 'guessable' : 'legacy';
    expect(saved.known()).toMatchObject([{ method: line, proof: 'certificate' }]);
  }, 60_000);

  test('a key is kept if the server may ask for the password itself', async () => {
    for (const mode of ['prefer', 'disable'] as const) {
      const saved = await home('other', mode);
      // The second sign-in is a quick one.
      await saved.person();
      await saved.forgets();
      expect(await saved.person()).toBe('42');
      expect(saved.known()).toMatchObject([{ keys: isMysql() ? [expect.any(String)] : [] }]);
      const line = mode === 'prefer' && provesItself() ? 'proves_line' : isMysql() ? 'guessable' : 'legacy';
      expect(saved.known()).toMatchObject([{ method: line, isEncrypted: mode === 'prefer' }]);
    }
  });

  if (isMysql())
    test.each(['prefer', 'disable'] as const)(
      '%s: before a person has tested it, a full sign-in is refused',
      async mode => {
        const saved = await home('fresh', mode);
        await server.client('FLUSH PRIVILEGES');
        expect(await saved.client()).toMatch(/nobody has tested this connection yet/);
        expect(await saved.person()).toBe('42');
        expect(await saved.client()).toBe('42');
      },
    );

  if (isMysql())
    test.each(['prefer', 'disable'] as const)(
      'sha256_password, %s',
      async mode => {
        const user = `sha256_${mode}`;
        await server.client(`CREATE USER ${user}@'127.0.0.1' IDENTIFIED WITH sha256_password BY '${password}'`);
        const saved = await home(user, mode);
        expect(await saved.person()).toBe('42');
        await server.restart();
        expect(await saved.client()).toBe('42');
      },
      60_000,
    );

  test('another server in its place is refused, until a person trusts it', async () => {
    if (!isMysql()) return;
    const saved = await home('other');
    expect(await saved.person()).toBe('42');
    const { wrongHostCertificateFile, wrongHostKeyFile } = server.certificates;
    await server.restart([`--ssl-cert=${wrongHostCertificateFile}`, `--ssl-key=${wrongHostKeyFile}`]);
    expect(await saved.client()).toMatch(refusedAs('another_key'));
    expect(await saved.person()).toMatch(refusedAs('another_key'));
    await saved.forgets();
    expect(await saved.person()).toBe('42');
    expect(await saved.client()).toBe('42');
    await server.restart();
  }, 60_000);

  test('a server that lets anybody in is refused', async () => {
    const saved = await home('other');
    await saved.forgets();
    expect(await saved.person()).toBe('42');
    await server.restart(['--skip-grant-tables', ...(isMysql() ? ['--skip-networking=OFF'] : [])]);
    // By `mysql_native_password` alone nobody can tell.
    const refusal = isMysql()
      ? /No server listens|asked for the password before/
      : refusedAs('binding_gone', 'weaker_method');
    if (isMysql() || provesItself()) expect(await saved.client()).toMatch(refusal);
    await server.restart();
    expect(await saved.client()).toBe('42');
  }, 60_000);

  test('TLS is struck from the greeting on the way', async () => {
    const relay = await startRelay(server, null);
    try {
      const saved = await home('struck', 'prefer', { port: relay.port });
      await saved.remembers({ line: 'tls', method: 'legacy' });
      expect(await saved.client()).toMatch(refusedAs('tls_gone'));
      expect(relay.received().includes(statement)).toBe(false);
      expect(relay.received().includes('struck')).toBe(false);
    } finally {
      await relay.stop();
    }
  });

  const theirs = ownKey();
  /** With the number of the packet whose place it takes. */
  const inPlaceOf = (said: Buffer, payload: Buffer): Buffer => packet(said[3] ?? 0, payload);
  test.each<[string, alters: (said: Buffer) => Buffer, RegExp]>([
    [
      'asks for clear text in the place of the answer',
      said => inPlaceOf(said, switchTo('mysql_clear_password')),
      refusedAs('password_would_show', 'another_key'),
    ],
    ['asks for dialog', said => inPlaceOf(said, switchTo('dialog')), /asks for dialog/],
    ['asks for a file', said => inPlaceOf(said, Buffer.from('\u00fb/etc/passwd', 'latin1')), /something else/],
    [
      'asks for a full sign-in in the place of the answer',
      said => inPlaceOf(said, full),
      /another key|way of its own|out of order/,
    ],
    ['gives its own RSA key', said => inPlaceOf(said, theirs.pem), /another key|way of its own/],
    [
      'takes a sha256_password',
      said => inPlaceOf(said, switchTo('sha256_password')),
      /broke the MySQL protocol|RSA key/,
    ],
    ['says yes to what was not asked', said => inPlaceOf(said, fast), /way of its own|did not answer/],
  ])('a relay without TLS that %s', async (what, alters, refusal) => {
    let isOff = true;
    const relay = await startRelay(server, null, said => (isOff ? said : alters(said)));
    try {
      const saved = await home('altered', 'disable', { port: relay.port });
      expect(await saved.person()).toBe('42');
      isOff = false;
      const before = relay.received().length;
      const answered = await saved.client();
      // A yes is true if the server said it before.
      if (!what.startsWith('says yes') || !isMysql()) expect(answered).toMatch(refusal);
      const after = relay.received().subarray(before);
      expect(after.includes(password)).toBe(false);
      expect(after.includes(statement)).toBe(false);
    } finally {
      await relay.stop();
    }
  });

  test('a relay that strikes TLS where it is asked for, at the first sign-in', async () => {
    const relay = await startRelay(server, null);
    try {
      for (const mode of ['require', 'verify-full'] as const)
        expect(await (await home('altered', mode, { port: relay.port })).person()).toMatch(/offers no TLS/);
      expect(relay.received()).toHaveLength(0);
    } finally {
      await relay.stop();
    }
  });

  test('a relay with a certificate of its own', async () => {
    const { wrongHostCertificateFile, wrongHostKeyFile } = server.certificates;
    const relay = await startRelay(server, { certificateFile: wrongHostCertificateFile, keyFile: wrongHostKeyFile });
    try {
      const saved = await home('relayed', 'prefer', { port: relay.port });
      const first = await saved.person();
      if (provesItself()) expect(first).toMatch(refusedAs('relayed'));
      else expect(first).toBe('42');
      if (isMysql()) {
        await saved.forgets();
        await saved.remembers({ line: 'tls', method: 'guessable', key: 'the key of its certificate' });
        const before = relay.received().length;
        expect(await saved.client()).toMatch(refusedAs('another_key'));
        expect(relay.received().subarray(before).includes(password)).toBe(false);
        expect(relay.received().subarray(before).includes(statement)).toBe(false);
      } else if (provesItself()) expect(relay.received().includes(statement)).toBe(false);
    } finally {
      await relay.stop();
    }
  });

  test('the other address of localhost is never dialled', async () => {
    const saved = await home('local', 'prefer', { host: 'localhost' });
    expect(await saved.person()).toBe('42');
    expect(saved.known()).toMatchObject([{ address: '127.0.0.1' }]);
    const other = await startImpostor({ host: '::1', port: server.port, answer: async visit => visit.send(ok) });
    try {
      expect(await saved.client()).toBe('42');
      server.pause();
      expect(await saved.client()).not.toBe('42');
      server.resume();
      expect(other.logins()).toBe(0);
      expect(other.received()).toHaveLength(0);
    } finally {
      await other.stop();
    }
  }, 60_000);
});
