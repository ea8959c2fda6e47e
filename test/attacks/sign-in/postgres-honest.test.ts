/**
 * Beside the impostors: each way in which a real PostgreSQL or PgBouncer lets somebody in goes on
 * working, at the first sign-in and later; or is refused from the first, with a reason (spec §6).
 */

import { appendFileSync, chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../../../daemon/access/connection.ts';
import { refusedAs } from '../../access/identity-said.ts';
import { endpointOf, runOn } from '../../engines/postgres/suite.ts';
import { needs } from '../../needs.ts';
import type { Certificate } from '../../servers/certificates.ts';
import { type Pooler, pgbouncerUnavailable, startPgbouncer } from '../../servers/pgbouncer.ts';
import type { PostgresServer } from '../../servers/postgres.ts';
import { type Remembering, remembering } from './postgres-place.ts';
import { password, startWithRoles, unavailable } from './postgres-roles.ts';

const opened: Remembering[] = [];
const poolers: Pooler[] = [];
const folders: string[] = [];
let server: PostgresServer;

needs(unavailable).describe('an honest PostgreSQL', () => {
  beforeAll(async () => {
    server = await startWithRoles();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ database }) => database.close()));
    await Promise.all(poolers.splice(0).map(pooler => pooler.stop()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => server?.stop(), 60_000);

  async function connectionFor(
    user: string,
    changes: Partial<Connection> = {},
    servers: Remembering['servers'] | null = null,
  ): Promise<Remembering> {
    const place = { ...endpointOf(server, { user }), password: { kind: 'stored' } } as const;
    const home = await remembering(password, { ...place, ...changes }, servers);
    opened.push(home);
    return home;
  }

  async function whoIsIn({ database }: Remembering): Promise<unknown> {
    const { outcome, rows } = await runOn(database, 'select session_user::text', { timeoutSeconds: 5 });
    return outcome.kind === 'done' ? rows[0]?.[0] : outcome.kind === 'not_connected' ? outcome.message : outcome;
  }

  /** A person tests it; then a client uses it, by sessions of its own. */
  async function isInForGood(user: string, changes: Partial<Connection> = {}): Promise<void> {
    const saved = await connectionFor(user, changes);
    expect(await saved.asPerson(() => whoIsIn(saved))).toBe(user);
    const later = await connectionFor(user, changes, saved.servers);
    expect(await whoIsIn(later)).toBe(user);
  }

  const tls = (mode: Connection['tls']['mode']): Partial<Connection> => ({
    host: 'localhost',
    tls: { mode, caFile: mode.startsWith('verify') ? server.certificates.caFile : null },
  });

  test.each(['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const)(
    'takes SCRAM and MD5 under %s',
    async mode => {
      await isInForGood('scram_role', tls(mode));
      await isInForGood('md5_role', tls(mode));
    },
  );

  test('takes the clear text that LDAP, PAM and RADIUS need, by TLS and by its socket', async () => {
    await isInForGood('clear_text_role', tls('verify-full'));
    await isInForGood('clear_text_role', tls('require'));
    await isInForGood('clear_text_role', tls('prefer'));
    await isInForGood('clear_text_role', { host: null, port: server.port, socketPath: server.socketFolder });
  });

  test('takes clear text by TLS for a client only once a person has looked, and with the same key', async () => {
    const home = await connectionFor('clear_text_role', tls('require'));
    expect(await whoIsIn(home)).toMatch(/nobody has tested this connection/);
    expect(await home.asPerson(() => whoIsIn(home))).toBe('clear_text_role');
    const { certificates } = server;
    await server.serveCertificate(wrongHost());
    const later = await connectionFor('clear_text_role', tls('require'), home.servers);
    expect(await whoIsIn(later)).toMatch(refusedAs('another_key'));
    expect(await later.asPerson(() => whoIsIn(later))).toMatch(refusedAs('another_key'));
    await home.servers.forget(home.connection);
    expect(await later.asPerson(() => whoIsIn(later))).toBe('clear_text_role');
    const { serverCertificateFile: certificateFile, serverKeyFile: keyFile } = certificates;
    await server.serveCertificate({ certificateFile, keyFile });
  });

  test('gets no clear text over a port without TLS, and from a container to throw away it does', async () => {
    const home = await connectionFor('clear_text_role');
    const refused = refusedAs('password_would_show');
    expect(await whoIsIn(home)).toMatch(refused);
    expect(await home.asPerson(() => whoIsIn(home))).toMatch(refused);
    await isInForGood('clear_text_role', { identity: 'any' });
  });

  test('asks for nothing, though a password is saved', async () => {
    await isInForGood('trusted_role');
    const { port, socketFolder: socketPath, superuser } = server;
    await isInForGood(superuser, { host: null, port, socketPath });
  });

  test('asks for a certificate instead of the password', async () => {
    const { client } = server.certificates;
    const clientCertificate = { certificateFile: client.certificateFile, keyFile: client.keyFile };
    const { caFile } = server.certificates;
    await isInForGood('certified_role', { host: 'localhost', tls: { mode: 'verify-full', caFile, clientCertificate } });
  });

  test('keeps its password encryption: MD5 before, SCRAM after, and not back', async () => {
    const home = await connectionFor('md5_role');
    expect(await whoIsIn(home)).toBe('md5_role');
    const change = (encryption: string) =>
      server.psql(`set password_encryption = '${encryption}'; alter role md5_role password '${password}'`);
    await change('scram-sha-256');
    expect(await whoIsIn(await connectionFor('md5_role', {}, home.servers))).toBe('md5_role');
    await change('md5');
    expect(await whoIsIn(await connectionFor('md5_role', {}, home.servers))).toMatch(/weaker sign-in than before/);
  });

  test('says why it lets nobody in after the sign-in', async () => {
    await server.psql('create database full_one connection limit 0');
    const home = await connectionFor('scram_role', { database: 'full_one' });
    const said = expect.stringContaining('too many connections');
    expect(await whoIsIn(home)).toMatchObject({ kind: 'busy', why: { who: 'server', said } });
  });

  test('is restarted with a new certificate: no question with SCRAM', async () => {
    const home = await connectionFor('scram_role', tls('require'));
    expect(await whoIsIn(home)).toBe('scram_role');
    await server.serveCertificate(wrongHost());
    expect(await whoIsIn(await connectionFor('scram_role', tls('require'), home.servers))).toBe('scram_role');
    const { serverCertificateFile: certificateFile, serverKeyFile: keyFile } = server.certificates;
    await server.serveCertificate({ certificateFile, keyFile });
  });

  const wrongHost = (): Certificate => {
    const { wrongHostCertificateFile: certificateFile, wrongHostKeyFile: keyFile } = server.certificates;
    return { certificateFile, keyFile };
  };

  needs(pgbouncerUnavailable()).describe('behind PgBouncer', () => {
    async function pooler(method: string, isTls: boolean): Promise<number> {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-pooler-users-'));
      folders.push(folder);
      chmodSync(folder, 0o755);
      const users = join(folder, 'users.txt');
      appendFileSync(users, `"pooled" "${password}"\n`);
      chmodSync(users, 0o644);
      const { serverCertificateFile, serverKeyFile, caFile } = server.certificates;
      // It reads an authority even if it asks clients for no certificate.
      const files = { cert: serverCertificateFile, key: serverKeyFile, ca: caFile };
      const encryption = Object.entries(files).map(([name, file]) => {
        const copy = join(folder, name);
        copyFileSync(file, copy);
        chmodSync(copy, 0o644);
        return `client_tls_${name}_file = ${copy}`;
      });
      const started = await startPgbouncer(server, [
        ...[`auth_type = ${method}`, `auth_file = ${users}`, 'pool_mode = session'],
        ...(isTls ? ['client_tls_sslmode = require', ...encryption] : []),
      ]);
      poolers.push(started);
      return started.port;
    }

    async function isPooled(port: number, changes: Partial<Connection>): Promise<void> {
      const saved = await connectionFor('pooled', { ...changes, port });
      expect(await saved.asPerson(() => whoIsIn(saved))).toBe(server.superuser);
      expect(await whoIsIn(await connectionFor('pooled', { ...changes, port }, saved.servers))).toBe(server.superuser);
    }

    test.each(['scram-sha-256', 'md5', 'plain'])('by %s', async method => {
      const withTls = await pooler(method, true);
      await isPooled(withTls, tls('require'));
      await isPooled(withTls, tls('verify-full'));
      const without = await pooler(method, false);
      if (method !== 'plain') return isPooled(without, tls('prefer'));
      const home = await connectionFor('pooled', { port: without });
      expect(await home.asPerson(() => whoIsIn(home))).toMatch(refusedAs('password_would_show'));
      await isPooled(without, { identity: 'any' });
    });
  });
});
