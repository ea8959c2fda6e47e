/**
 * What `sallyport connections test` tells a person about tables and columns that clients don't
 * meet, on real PostgreSQL and MariaDB servers. SQLite's is in connections.test.ts.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConnectionTestResult } from '../../../shared/control-commands.ts';
import { needs } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { mariadbUnavailable } from '../../servers/mariadb.ts';
import { findPostgres } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

const found = findPostgres();
const tables = `create table people (id int primary key, email varchar(20));
create table secret_pay (id int primary key, card varchar(20));
create view cards as select card from secret_pay;`;
const policy = ['--hide', 'secret_*,adit_*', '--mask', 'people.email,*.iban'];

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  await home.run(['start']);
}, 60_000);
afterAll(() => home.clean());

async function tested(url: string, password: string, name: string): Promise<ConnectionTestResult> {
  const words = ['connections', 'add', url, '--name', name, '--password-stdin', ...policy];
  await home.run(words, { stdin: `${password}\n` });
  return home.json<ConnectionTestResult>(['connections', 'test', name]);
}

needs('unavailable' in found ? found.unavailable : null).describe('PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof lendPostgres>>;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database kept');
    await server.psql(tables, 'kept');
  }, 120_000);
  afterAll(() => server?.stop());

  test('it counts and names them, or says that it could not look', async () => {
    const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${server.port}/kept`;
    expect(await tested(urlOf(server.superuser), server.password, 'Kept')).toMatchObject({
      hidden: { count: 2, names: ['public.cards', 'public.secret_pay'] },
      masked: { count: 1, names: ['public.people.email'] },
      unmatched: ['adit_*', '*.iban'],
    });
    await server.psql(
      `create role kept_plain login password 'a-plain-password';
       revoke select on pg_catalog.pg_rewrite from public;`,
      'kept',
    );
    const unseen = await tested(urlOf('kept_plain'), 'a-plain-password', 'Unseen');
    expect(unseen).toMatchObject({
      reachable: true,
      warnings: expect.arrayContaining([
        expect.stringMatching(
          /^Which tables and columns clients don't meet here wasn't looked at: .*pg_rewrite.*42501/,
        ),
      ]),
    });
    expect(unseen).not.toHaveProperty('hidden');
    const words = await home.run(['connections', 'test', 'Unseen']);
    expect(`${words.stdout}${words.stderr}`).toMatch(/wasn't looked at: .*pg_rewrite/);
  }, 120_000);
});

needs(mariadbUnavailable()).describe('MariaDB', () => {
  let server: Awaited<ReturnType<typeof lendMariadb>>;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.client(`create database kept; use kept;\n${tables}`);
  }, 120_000);
  afterAll(() => server?.stop());

  test('it counts and names them', async () => {
    const url = `mysql://${server.user}@127.0.0.1:${server.port}/kept`;
    expect(await tested(url, server.password, 'Kept too')).toMatchObject({
      hidden: { count: 2, names: ['kept.cards', 'kept.secret_pay'] },
      masked: { count: 1, names: ['kept.people.email'] },
      unmatched: ['adit_*', '*.iban'],
    });
  }, 120_000);
});
