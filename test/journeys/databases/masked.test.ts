/** A person masks columns: `sallyport query`, `show` and `list` obey it and say so. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

const found = findPostgres();

needs('unavailable' in found ? found.unavailable : null).describe('masked columns', () => {
  let home: RealHome;
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database masked_shop');
    await server.psql(
      "create table users (id int primary key, email text); insert into users values (1, 'ada@example.org')",
      'masked_shop',
    );
    home = realHome();
    const started = await home.run(['start']);
    if (started.code !== 0) throw new Error(started.stderr);
    const url = `postgres://${server.superuser}@127.0.0.1:${server.port}/masked_shop`;
    const add = ['connections', 'add', url, '--name', 'Shop', '--mask', 'users.email, /token/', '--password-stdin'];
    const added = await home.run(add, { stdin: server.password });
    if (added.code !== 0) throw new Error(added.stderr);
  }, 120_000);
  afterAll(async () => {
    await home?.clean();
    await server?.stop();
  });

  test('a statement that reads one is refused with its name, and one that does not runs', async () => {
    const refused = await home.run(['query', 'Shop', 'select * from users']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('It reads users.email, which') });
    expect(`${refused.stdout}${refused.stderr}`).not.toContain('ada@');
    expect((await home.run(['query', 'Shop', 'select id from users'])).code).toBe(0);
  }, 60_000);

  test('what is masked is told, and a wrong pattern refused', async () => {
    expect((await home.run(['connections', 'show', 'Shop'])).stdout).toMatch(/masks +users\.email, \/token\//);
    expect((await home.run(['connections', 'list'])).stdout).toContain('MASKS');
    const wrong = await home.run(['connections', 'set', 'Shop', '--mask', 'email']);
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('--mask');
  }, 60_000);
});
