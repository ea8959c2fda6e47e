/**
 * Connecting: the TLS matrix against a real server, passwords, sockets, and what the environment
 * must not decide.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Endpoint, TlsMode } from '../../../daemon/access/connection.ts';
import type { Database } from '../../../daemon/engines/engine.ts';
import { settingsFor } from '../../../daemon/engines/postgres/run/settings.ts';
import { describeWithPostgres, eventually, runOn } from './suite.ts';

const encryption = 'select ssl, coalesce(version, $$none$$) from pg_stat_ssl where pid = pg_backend_pid()';

async function encrypted(database: Database): Promise<unknown> {
  const { outcome, rows } = await runOn(database, encryption);
  return outcome.kind === 'done' ? rows[0]?.[0] : outcome.kind === 'not_connected' ? outcome.message : outcome;
}

describeWithPostgres('PostgreSQL over TLS', suite => {
  const openTls = (mode: TlsMode, caFile: string | null, changes: Partial<Endpoint> = {}) =>
    suite.open({ host: 'localhost', tls: { mode, caFile }, ...changes });
  const authorities = () => suite.server.certificates;

  test('a right certificate passes each mode', async () => {
    const { caFile } = authorities();
    expect(await encrypted(openTls('verify-full', caFile))).toBe(true);
    expect(await encrypted(openTls('verify-full', caFile, { host: '127.0.0.1' }))).toBe(true);
    expect(await encrypted(openTls('verify-ca', caFile))).toBe(true);
    expect(await encrypted(openTls('require', null))).toBe(true);
    expect(await encrypted(openTls('prefer', null))).toBe(true);
    expect(await encrypted(openTls('disable', null))).toBe(false);
  });

  test('a CA that didn’t sign it fails both verifying modes, and the others continue', async () => {
    const { otherCaFile } = authorities();
    for (const mode of ['verify-full', 'verify-ca'] as const) {
      expect(await encrypted(openTls(mode, otherCaFile))).toMatch(
        /TLS failed \(.*no authority .* vouches for its certificate/,
      );
      expect(await encrypted(openTls(mode, null))).toMatch(
        /TLS failed \(.*no authority .* vouches for its certificate/,
      );
    }
    expect(await encrypted(openTls('require', otherCaFile))).toBe(true);
  });

  test('a missing CA file is named', async () => {
    expect(await encrypted(openTls('verify-full', '/nowhere/ca.crt'))).toContain('/nowhere/ca.crt could not be read');
  });

  test('a certificate for another host passes verify-ca and fails verify-full, by name and by address', async () => {
    const { caFile, wrongHostCertificateFile, wrongHostKeyFile } = authorities();
    await suite.server.serveCertificate({ certificateFile: wrongHostCertificateFile, keyFile: wrongHostKeyFile });
    expect(await encrypted(openTls('verify-full', caFile))).toMatch(/TLS failed .*altnames.*for another name/);
    expect(await encrypted(openTls('verify-full', caFile, { host: '127.0.0.1' }))).toMatch(
      /TLS failed .*altnames.*for another name/,
    );
    expect(await encrypted(openTls('verify-ca', caFile))).toBe(true);
  });

  test('an expired certificate fails both verifying modes', async () => {
    const { caFile, expiredCertificateFile, expiredKeyFile } = authorities();
    await suite.server.serveCertificate({ certificateFile: expiredCertificateFile, keyFile: expiredKeyFile });
    expect(await encrypted(openTls('verify-full', caFile))).toMatch(/TLS failed .*expired.*renewed/);
    expect(await encrypted(openTls('verify-ca', caFile))).toMatch(/TLS failed .*expired.*renewed/);
    expect(await encrypted(openTls('require', null))).toBe(true);
  });

  test('a server without TLS serves prefer and disable unencrypted, and no other mode', async () => {
    await suite.server.serveCertificate(null);
    expect(await encrypted(openTls('prefer', null))).toBe(false);
    for (const mode of ['require', 'verify-ca', 'verify-full'] as const) {
      expect(await encrypted(openTls(mode, authorities().caFile))).toContain(
        `the connection asks for TLS mode ${mode}`,
      );
    }
  });

  test('an unencrypted password is sent over verified TLS', async () => {
    await suite.server.psql("create role clear_text_role login password 'right'");
    const database = suite.open(
      { host: 'localhost', user: 'clear_text_role', tls: { mode: 'verify-full', caFile: authorities().caFile } },
      'right',
    );
    await suite.server.serveCertificate({
      certificateFile: authorities().serverCertificateFile,
      keyFile: authorities().serverKeyFile,
    });
    expect((await runOn(database, 'select current_user::text')).rows).toEqual([['clear_text_role']]);
  });

  test('a statement under TLS is cancelled like any other', async () => {
    const { caFile, serverCertificateFile, serverKeyFile } = authorities();
    await suite.server.serveCertificate({ certificateFile: serverCertificateFile, keyFile: serverKeyFile });
    const database = openTls('verify-full', caFile);
    await runOn(database, 'select 1');
    const abort = new AbortController();
    const running = runOn(database, 'select pg_sleep(30)', { signal: abort.signal });
    await eventually(
      () =>
        suite.server.ask("select count(*) from pg_stat_activity where query like '%pg_sleep(30)' and state = 'active'"),
      count => count === '1',
    );
    abort.abort();
    expect((await running).outcome).toEqual({ kind: 'cancelled' });
    await database.close();
    expect(
      await suite.server.psql("select count(*) from pg_stat_activity where application_name like 'Sallyport%'"),
    ).toBe('0');
  });
});

describeWithPostgres('PostgreSQL sign-in', suite => {
  const before = { ...process.env };
  const folders: string[] = [];
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  test('SCRAM, MD5 and clear text by TLS accept only the right password', async () => {
    await suite.server.psql(`
      create role scram_role login password 'right';
      set password_encryption = 'md5'; create role md5_role login password 'right';
      create role clear_text_role login password 'right';`);
    for (const user of ['scram_role', 'md5_role', 'clear_text_role']) {
      const tls = { mode: 'require', caFile: null } as const;
      const { rows } = await runOn(suite.open({ user, tls }, 'right'), 'select current_user::text');
      expect(rows).toEqual([[user]]);
      const wrong = await runOn(suite.open({ user, tls }, 'a-wrong-password'), 'select 1');
      expect(wrong.outcome).toMatchObject({
        kind: 'not_connected',
        message: expect.stringContaining(`password authentication failed for user "${user}"`),
      });
      expect(JSON.stringify(wrong.outcome)).not.toContain('a-wrong-password');
    }
    const none = await runOn(suite.open({ user: 'scram_role' }, null), 'select 1');
    expect(none.outcome).toMatchObject({ message: expect.stringContaining('the connection has none') });
  });

  test('the folder of a Unix socket, and the socket itself', async () => {
    const { socketFolder, port } = suite.server;
    for (const socketPath of [socketFolder, join(socketFolder, `.s.PGSQL.${port}`)]) {
      const database = suite.open({ host: null, socketPath, tls: { mode: 'verify-full', caFile: null } }, null);
      expect((await runOn(database, 'select inet_client_addr()')).rows).toEqual([[null]]);
    }
    const absent = await runOn(suite.open({ socketPath: '/nowhere/at/all' }), 'select 1');
    expect(absent.outcome).toEqual({
      kind: 'not_connected',
      message: 'Could not connect to PostgreSQL at /nowhere/at/all: there is no such socket.',
    });
  });

  test('no PG* variable, password file or service file decides anything', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-home-'));
    folders.push(folder);
    writeFileSync(join(folder, '.pgpass'), `*:*:*:*:${suite.server.password}\n`, { mode: 0o600 });
    Object.assign(process.env, {
      HOME: folder,
      PGPASSFILE: join(folder, '.pgpass'),
      PGHOST: '192.0.2.1',
      PGPORT: '1',
      PGUSER: 'leaked',
      PGDATABASE: 'leaked',
      PGPASSWORD: suite.server.password,
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGAPPNAME: 'leaked',
      PGOPTIONS: '-c search_path=leaked -c work_mem=4321kB',
      PGREPLICATION: 'database',
      PGCLIENT_ENCODING: 'LATIN1',
      PGBINARY: '1',
      PGTZ: 'Asia/Tokyo',
    });
    const session =
      "select current_user::text, current_database()::text, current_setting('search_path'), current_setting('work_mem'), current_setting('TimeZone'), current_setting('application_name'), 'ü'";
    const { rows } = await runOn(suite.open(), session);
    expect(rows).toEqual([['postgres', 'postgres', '"$user", public', '4MB', 'Europe/Berlin', 'Sallyport: test', 'ü']]);
    const withoutPassword = await runOn(suite.open({}, null), 'select 1');
    expect(withoutPassword.outcome).toMatchObject({
      kind: 'not_connected',
      message: expect.stringContaining('has none'),
    });
  });

  test('without a user the account signs in, without a database the one named like the user', async () => {
    const database = suite.open({ user: null, database: null });
    const { outcome } = await runOn(database, 'select 1');
    expect(outcome).toMatchObject({ message: expect.stringMatching(/failed for user|does not exist/) });
    await suite.server.psql('create role named login password $$right$$; create database named');
    const named = suite.open({ user: 'named', database: null }, 'right');
    expect((await runOn(named, 'select current_database()::text')).rows).toEqual([['named']]);
  });

  test('another database can be reached only if the connection says all', async () => {
    await suite.server.psql('create database second');
    const own = await runOn(suite.open(), 'select 1', { database: 'second' });
    expect(own.outcome).toMatchObject({
      kind: 'unsupported',
      message: expect.stringMatching(/ only; leave the database out\.$/),
    });
    expect((await runOn(suite.open(), 'select 1', { database: 'postgres' })).rows).toEqual([[1]]);
    const all = suite.open({ databases: 'all' });
    const sql = 'select current_database()::text';
    expect((await runOn(all, sql, { database: 'second' })).rows).toEqual([['second']]);
    expect((await runOn(all, sql)).rows).toEqual([['postgres']]);
    const absent = await runOn(all, sql, { database: 'third' });
    expect(absent.outcome).toMatchObject({
      kind: 'query_failed',
      code: '3D000',
      message: expect.stringContaining('"third" does not exist'),
    });
  });

  test('the database sees who asks, each statement under its own name', async () => {
    const database = suite.open();
    const sql = "select current_setting('application_name')";
    expect((await runOn(database, sql, { client: 'Claude' })).rows).toEqual([['Sallyport: Claude']]);
    expect((await runOn(database, sql, { client: 'C'.repeat(80) })).rows).toEqual([[`Sallyport: ${'C'.repeat(52)}`]]);
    const applicationName = (client: string) => settingsFor({ client, timeoutSeconds: 1 }, null).application_name ?? '';
    expect(applicationName('é🐘'.repeat(20))).toBe(`Sallyport: ${'é🐘'.repeat(8)}é`);
    expect(Buffer.byteLength(applicationName('🐘'.repeat(40)))).toBeLessThanOrEqual(63);
  });

  test('a host where nothing listens says so at once', async () => {
    const { outcome } = await runOn(suite.open({ port: 1 }), 'select 1');
    expect(outcome).toEqual({
      kind: 'not_connected',
      message: 'Could not connect to PostgreSQL at 127.0.0.1:1: nothing listens there.',
    });
  });
});
