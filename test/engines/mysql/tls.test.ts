/** TLS modes against a real server with a test CA: whom we trust, and that nothing falls back. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Endpoint, TlsMode } from '../../../daemon/access/connection.ts';
import type { DatabaseFailure } from '../../../daemon/engines/engine.ts';
import { openMysql } from '../../../daemon/engines/mysql/open.ts';
import { needs } from '../../needs.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { collect } from '../collecting-sink.ts';
import { endpointOf, portsOf } from './endpoint.ts';

needs(mariadbUnavailable()).describe('mysql TLS', () => {
  let server: MariadbServer;

  beforeAll(async () => {
    server = await startMariadb();
  }, 60_000);

  afterAll(async () => {
    await server?.stop();
  });

  /** The cipher in use, '' without encryption, or the failure. */
  const dialled = async (
    mode: TlsMode,
    changes: Partial<Endpoint> = {},
    ca: 'ours' | 'other' | 'none' = 'none',
    { password } = server,
  ) => {
    const { caFile, otherCaFile } = server.certificates;
    const file = { ours: caFile, other: otherCaFile, none: null }[ca];
    const endpoint = endpointOf(server, { tls: { mode, caFile: file }, ...changes });
    const database = openMysql(endpoint, portsOf({ password }));
    try {
      const { outcome, rows } = await collect(database, "show session status like 'Ssl_cipher'", { timeoutSeconds: 8 });
      return outcome.kind === 'done' ? String(rows[0]?.[1]) : outcome;
    } finally {
      await database.close();
    }
  };
  const encrypted = expect.stringMatching(/^TLS_|^ECDHE/);
  const failed = (message: RegExp): unknown =>
    expect.objectContaining({ kind: 'not_connected', message: expect.stringMatching(message) } satisfies Partial<
      Record<keyof DatabaseFailure | 'message', unknown>
    >);

  test('disable speaks unencrypted', async () => {
    expect(await dialled('disable')).toBe('');
  });
  test.each(['prefer', 'require'] as const)('%s encrypts, whoever the server is', async mode => {
    expect(await dialled(mode)).toEqual(encrypted);
  });
  test('verify-ca accepts our CA and any host', async () => {
    expect(await dialled('verify-ca', {}, 'ours')).toEqual(encrypted);
  });
  test.each(['verify-ca', 'verify-full'] as const)('%s refuses another CA and an unknown one', async mode => {
    expect(await dialled(mode, {}, 'other')).toEqual(failed(/TLS.*no authority .* vouches for its certificate/));
    expect(await dialled(mode, {}, 'none')).toEqual(failed(/TLS.*no authority .* vouches for its certificate/));
  });
  test('verify-full accepts the host by address and by name', async () => {
    expect(await dialled('verify-full', {}, 'ours')).toEqual(encrypted);
    expect(await dialled('verify-full', { host: 'localhost' }, 'ours')).toEqual(encrypted);
  });
  test('a missing CA file is named', async () => {
    const endpoint = endpointOf(server, { tls: { mode: 'verify-full', caFile: '/nonexistent/ca.pem' } });
    const database = openMysql(endpoint, portsOf(server));
    expect((await collect(database, 'select 1')).outcome).toEqual(failed(/CA file \/nonexistent\/ca\.pem/));
    await database.close();
  });
  test('over a Unix socket', async () => {
    expect(await dialled('disable', { host: null, port: null, socketPath: server.socketPath })).toBe('');
  });

  // MariaDB 10.11 has neither. The second dial with a password that the server remembers logs in
  // differently from the first.
  if (isMysql())
    test.each(['caching_sha2_password', 'sha256_password'])('%s, with TLS and without', async plugin => {
      const user = plugin;
      await server.client(`CREATE USER ${user}@'127.0.0.1' IDENTIFIED WITH ${plugin} BY 'right'`);
      for (const mode of ['disable', 'verify-full'] as const) {
        const inUse = mode === 'disable' ? '' : encrypted;
        await server.client('FLUSH PRIVILEGES');
        for (let dial = 0; dial < 2; dial += 1)
          expect(
            await dialled(mode, { user }, mode === 'disable' ? 'none' : 'ours', { ...server, password: 'right' }),
          ).toEqual(inUse);
        const wrong = await dialled(mode, { user }, mode === 'disable' ? 'none' : 'ours', {
          ...server,
          password: 'wrong-Zq7',
        });
        expect(wrong).toEqual(failed(/Access denied/));
        expect(JSON.stringify(wrong)).not.toContain('wrong-Zq7');
      }
    });

  const serving = (certificate: string, key: string): Promise<void> =>
    server.restart([`--ssl-cert=${certificate}`, `--ssl-key=${key}`]);

  test('a certificate for another host: only verify-full refuses', async () => {
    await serving(server.certificates.wrongHostCertificateFile, server.certificates.wrongHostKeyFile);
    expect(await dialled('verify-full', {}, 'ours')).toEqual(failed(/TLS.*for another name/));
    expect(await dialled('verify-full', { host: 'localhost' }, 'ours')).toEqual(failed(/TLS.*for another name/));
    expect(await dialled('verify-ca', {}, 'ours')).toEqual(encrypted);
  }, 60_000);

  test('an expired certificate: verify-ca and verify-full refuse', async () => {
    await serving(server.certificates.expiredCertificateFile, server.certificates.expiredKeyFile);
    expect(await dialled('verify-full', {}, 'ours')).toEqual(failed(/TLS/));
    expect(await dialled('verify-ca', {}, 'ours')).toEqual(failed(/TLS/));
    expect(await dialled('require')).toEqual(encrypted);
  }, 60_000);

  test('a server without TLS: only prefer continues unencrypted', async () => {
    await server.restart(isMysql() ? ['--tls-version='] : ['--skip-ssl']);
    expect(await dialled('prefer')).toBe('');
    for (const mode of ['require', 'verify-ca', 'verify-full'] as const) {
      expect(await dialled(mode, {}, 'ours')).toEqual(failed(/offers no TLS/));
    }
  }, 60_000);
});
