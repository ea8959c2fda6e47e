/**
 * Connections with a client certificate, to PostgreSQL (`cert`) and MariaDB (`REQUIRE X509`), and
 * the errors if it is refused.
 */

import { chmodSync, copyFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tls } from '../../daemon/access/connection.ts';
import type { Database } from '../../daemon/engines/engine.ts';
import { openMysql } from '../../daemon/engines/mysql/database.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { dialAdvice } from '../../daemon/shells/dial-advice.ts';
import { needs } from '../needs.ts';
import { type Certificates, lockedKey } from '../servers/certificates.ts';
import { lendMariadb, lendPostgres } from '../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../servers/postgres.ts';
import { collect } from './collecting-sink.ts';
import { endpointOf as mysqlAt, portsOf } from './mysql/endpoint.ts';
import { endpointOf as postgresAt, portsOf as withPassword } from './postgres/suite.ts';

async function userOn(database: Database, sql: string): Promise<unknown> {
  try {
    const { outcome, rows } = await collect(database, sql, { timeoutSeconds: 8 });
    if (outcome.kind === 'done') return rows[0]?.[0];
    if (outcome.kind !== 'not_connected') return outcome;
    return [outcome.message, dialAdvice(outcome.problem, 'shop')].filter(Boolean).join(' ');
  } finally {
    await database.close();
  }
}

function tlsWith({ caFile }: Certificates, clientCertificate: Tls['clientCertificate']): Tls {
  return { mode: 'verify-full', caFile, clientCertificate };
}

/** What each engine says about the files. */
function filesAreJudged(certificates: () => Certificates, dialled: (tls: Tls) => Promise<unknown>): void {
  test('a key that others can read is refused, with the command that fixes it', async () => {
    const { client } = certificates();
    const keyFile = `${client.keyFile}.open`;
    copyFileSync(client.keyFile, keyFile);
    chmodSync(keyFile, 0o640);
    const open = { ...client, keyFile };
    const refused = String(await dialled(tlsWith(certificates(), open)));
    expect(refused).toContain(`others may read the client key ${keyFile}`);
    expect(refused).toContain('`chmod 600`');
    chmodSync(keyFile, 0o600);
    expect(await dialled(tlsWith(certificates(), open))).toMatch(/certified_role/);
  });

  // PKCS #8, and OpenSSL's older form.
  test.each(['pkey', 'ec'] as const)(
    'a key with a passphrase, by openssl %s: with it, without it, with a wrong one',
    async form => {
      const { client } = certificates();
      const keyFile = lockedKey(client.keyFile, 'naïve Zq7', form);
      const tls = tlsWith(certificates(), { ...client, keyFile });
      const opening = (kept: string | null) => dialled({ ...tls, keyPassphrase: async () => kept });
      expect(await opening('naïve Zq7')).toMatch(/^certified_role/);
      const without = String(await opening(null));
      expect(without).toMatch(/client key .* has a passphrase, and none is kept/);
      const wrong = String(await opening('Zq8'));
      expect(wrong).toContain('kept passphrase does not open the client key');
      for (const told of [without, wrong]) expect(told).toContain('--key-passphrase-stdin');
      expect(wrong).not.toContain('Zq8');
    },
  );

  test('missing files, and a key of another certificate', async () => {
    const { client, otherClient } = certificates();
    const missing = { certificateFile: '/nowhere/a.crt', keyFile: '/nowhere/a.key' };
    expect(await dialled(tlsWith(certificates(), missing))).toContain('/nowhere/a.crt could not be read');
    expect(await dialled(tlsWith(certificates(), { ...client, keyFile: missing.keyFile }))).toContain(
      '/nowhere/a.key could not be read',
    );
    expect(await dialled(tlsWith(certificates(), { ...client, keyFile: otherClient.keyFile }))).toMatch(
      /key values mismatch/,
    );
  });
}

const binaries = findPostgres();

needs('unavailable' in binaries ? binaries.unavailable : null).describe("PostgreSQL's client certificates", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    server = await lendPostgres();
    await server.psql('create role certified_role login');
  }, 60_000);
  afterAll(() => server?.stop());

  const dialled = (tls: Tls) => {
    const endpoint = postgresAt(server, { host: 'localhost', user: 'certified_role', password: { kind: 'none' }, tls });
    return userOn(openPostgres(endpoint, withPassword(null)), 'select cast(current_user as text)');
  };

  test('it signs in by it, without a password', async () => {
    expect(await dialled(tlsWith(server.certificates, server.certificates.client))).toBe('certified_role');
  });

  test('without one, and with one of another authority, the server refuses', async () => {
    expect(await dialled(tlsWith(server.certificates, undefined))).toMatch(/requires a valid client certificate/);
    expect(await dialled(tlsWith(server.certificates, server.certificates.otherClient))).toMatch(
      /TLS failed \(.*alert unknown ca\).*refuses the client certificate/,
    );
  });

  filesAreJudged(() => server.certificates, dialled);
});

needs(mariadbUnavailable()).describe("MariaDB's client certificates", () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client("create user certified_role@'127.0.0.1' identified by 'pw' require x509");
  }, 60_000);
  afterAll(() => server?.stop());

  const dialled = (tls: Tls) => {
    const database = openMysql(mysqlAt(server, { user: 'certified_role', tls }), portsOf({ password: 'pw' }));
    return userOn(database, 'select current_user()');
  };

  test('REQUIRE X509 lets it in', async () => {
    expect(await dialled(tlsWith(server.certificates, server.certificates.client))).toBe('certified_role@127.0.0.1');
  });

  test('without one, and with one of another authority, the server refuses', async () => {
    expect(await dialled(tlsWith(server.certificates, undefined))).toMatch(/Access denied/);
    expect(await dialled(tlsWith(server.certificates, server.certificates.otherClient))).toMatch(
      /refuses the client certificate/,
    );
  });

  filesAreJudged(() => server.certificates, dialled);
});
