/**
 * Servers on this machine that only accept encrypted connections, saved as people do, without a
 * word about TLS.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { type MariadbServer, mariadbUnavailable, startMariadb } from '../../servers/mariadb.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

interface Tested {
  readonly code: number | null;
  readonly reachable: boolean;
  readonly problem: string | null;
}

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  await home.run(['start']);
}, 60_000);
afterAll(() => home.clean());

async function tested(name: string): Promise<Tested> {
  const { code, stdout } = await home.here(['connections', 'test', name, '--json']);
  return { code, ...JSON.parse(stdout) };
}

async function added(url: string, name: string, ...words: string[]): Promise<void> {
  const ran = await home.here(['connections', 'add', url, '--name', name, ...words]);
  if (ran.code !== 0) throw new Error(ran.stderr);
}

const reached = expect.objectContaining({ code: 0, reachable: true });
const asksForTls = /--password-stdin`\. If the password is right, .* --tls verify-full`/;
const encryptsHow = /`sallyport connections set \S+ --tls verify-full`, with --ca if .*; --tls require encrypts/;

const binaries = findPostgres();
needs('unavailable' in binaries ? binaries.unavailable : null).describe('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    server = await startPostgres(binaries);
    const rules = "values ('local all all trust'), ('hostssl all all 127.0.0.1/32 scram-sha-256')";
    await server.psql(`copy (${rules}) to '${await server.psql('show hba_file')}'`);
    await server.psql('select pg_reload_conf()');
  }, 60_000);
  afterAll(() => server?.stop());

  const url = () => `postgres://${server.superuser}:${server.password}@127.0.0.1:${server.port}/postgres`;

  test('can be reached, encrypted', async () => {
    await added(url(), 'Shop');
    expect(await tested('Shop')).toEqual(reached);
    const sql = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
    expect((await home.here(['query', 'Shop', sql, '--json'])).stdout).toContain('true');
  }, 60_000);

  test('without TLS the person learns what to do', async () => {
    await added(url(), 'Clear', '--tls', 'disable');
    const { problem } = await tested('Clear');
    expect(problem).toMatch(/no encryption/);
    expect(problem).toMatch(encryptsHow);
  }, 60_000);

  test('one whose TLS is gone can be reached once a person trusts it', async () => {
    await server.serveCertificate(null);
    await server.psql(
      `copy (values ('local all all trust'), ('host all all 127.0.0.1/32 scram-sha-256')) to '${await server.psql('show hba_file')}'`,
    );
    await server.psql('select pg_reload_conf()');
    await server.psql(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'Sallyport%'",
    );
    expect((await tested('Shop')).problem).toMatch(/had TLS before and has none now/);
    expect((await home.here(['connections', 'trust', 'Shop'])).code).toBe(0);
    expect(await tested('Shop')).toEqual(reached);
  }, 60_000);
});

needs(mariadbUnavailable()).describe('MariaDB', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await startMariadb();
    await server.ask("create user tls_alone identified by 'its-own' require ssl");
    await server.ask('set global require_secure_transport = on');
  }, 60_000);
  afterAll(() => server?.stop());

  const url = () => `mariadb://${server.user}:${server.password}@127.0.0.1:${server.port}/mysql`;

  test('can be reached, encrypted', async () => {
    await added(url(), 'Store');
    expect(await tested('Store')).toEqual(reached);
    const cipher = (await home.here(['query', 'Store', "show session status like 'Ssl_cipher'", '--json'])).stdout;
    expect(cipher).toMatch(/TLS_|ECDHE/);
  }, 60_000);

  test('without TLS the person learns what to do', async () => {
    await added(url(), 'Clear-Store', '--tls', 'disable');
    const { problem } = await tested('Clear-Store');
    // MySQL says it. MariaDB 10.11 reports a right password as access denied.
    expect(problem).toMatch(/insecure transport/.test(problem ?? '') ? encryptsHow : asksForTls);
  }, 60_000);

  test('so with an account that demands it, which refuses a wrong password in the same words', async () => {
    await server.ask('set global require_secure_transport = off');
    const own = `mariadb://tls_alone:its-own@127.0.0.1:${server.port}/information_schema`;
    await added(own, 'Account', '--tls', 'disable');
    const { problem } = await tested('Account');
    expect(problem).toMatch(/using password: YES/);
    expect(problem).toMatch(asksForTls);
    await added(own, 'Account2');
    expect(await tested('Account2')).toEqual(reached);
  }, 60_000);
});
