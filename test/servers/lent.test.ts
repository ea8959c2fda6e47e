import { expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { lendMariadb, lendPostgres } from './lent.ts';
import { mariadbUnavailable } from './mariadb.ts';
import { findPostgres } from './postgres.ts';

const found = findPostgres();
needs('unavailable' in found ? found.unavailable : null).describe('PostgreSQL', () => {
  test('the next borrower finds nothing from the one before', async () => {
    const first = await lendPostgres();
    await first.psql('create role left_here login; create table left_here (a int)');
    await first.psql('create database left_here owner left_here');
    await first.stop();
    const second = await lendPostgres();
    expect(second.port).toBe(first.port);
    const left =
      "select (select count(*) from pg_database) || ' ' || count(*) from pg_roles where rolname = 'left_here'";
    expect(await second.psql(left)).toBe('3 0');
    expect(await second.psql("select to_regclass('left_here') is null")).toBe('t');
    await second.stop();
  }, 60_000);

  test('a leftover in template1 ends the server', async () => {
    const first = await lendPostgres();
    await first.psql('create table left_here (a int)', 'template1');
    await first.stop();
    const second = await lendPostgres();
    expect(await second.psql("select to_regclass('left_here') is null", 'template1')).toBe('t');
    await second.stop();
  }, 60_000);

  test('returned twice, a server stays with its next borrower', async () => {
    const first = await lendPostgres();
    await first.stop();
    const second = await lendPostgres();
    expect(second.port).toBe(first.port);
    await first.stop();
    const third = await lendPostgres();
    expect(third.port).not.toBe(second.port);
    await Promise.all([second.stop(), third.stop()]);
  }, 60_000);
});

needs(mariadbUnavailable()).describe('MariaDB', () => {
  test('the next borrower finds nothing from the one before', async () => {
    const first = await lendMariadb();
    await first.client(
      "create database left_here; create user left_here@localhost identified by 'left'; create role gone",
    );
    await first.stop();
    const second = await lendMariadb();
    expect(second.port).toBe(first.port);
    expect(await second.ask("select count(*) from information_schema.schemata where schema_name = 'left_here'")).toBe(
      '0\n',
    );
    expect(await second.ask("select count(*) from mysql.user where user in ('left_here', 'gone')")).toBe('0\n');
    await second.stop();
  }, 60_000);

  test('a setting that stays ends the server', async () => {
    const first = await lendMariadb();
    const [before] = (await first.ask('select @@global.lock_wait_timeout')).split('\n');
    await first.client('set global lock_wait_timeout = 7');
    await first.stop();
    const second = await lendMariadb();
    expect(await second.ask('select @@global.lock_wait_timeout')).toBe(`${before}\n`);
    await second.stop();
  }, 60_000);
});
