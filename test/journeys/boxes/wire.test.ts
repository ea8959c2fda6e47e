/**
 * An agent in a box that has a wire: psql and an ORM read its database there, nothing writes, and
 * the server itself is out of reach.
 */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';
import { bring } from './box.ts';

/** Reads and tries to write, by Knex. */
const orm = `import knex from 'knex';
const db = knex({ client: 'pg', connection: { host: process.env.PGHOST, database: 'Shop' } });
const rows = await db('customers').where('id', '<', 3).orderBy('id').select('name');
const joined = await db.transaction(async t => (await t.raw('select count(*)::int as n from customers')).rows[0].n);
const refused = await db('customers').insert({ id: 9, name: 'x' }).then(() => 'written', error => error.code);
console.log(JSON.stringify({ rows, joined, refused }));
await db.destroy();
`;

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const found = findPostgres();
const missing = missingPrograms(['bwrap', 'psql'], bring) ?? ('unavailable' in found ? found.unavailable : null);
needs(missing).describe('a box with a wire', () => {
  let home: RealHome;
  let server: PostgresServer;
  beforeAll(async () => {
    server = await lendPostgres();
    await server.psql('create database shop');
    await server.psql(
      `create table customers (id int primary key, name text); insert into customers values (1, 'Ada'), (2, 'Grace'), (3, 'Edsger')`,
      'shop',
    );
    home = realHome();
    const started = await home.run(['start']);
    if (started.code !== 0) throw new Error(started.stderr);
    const url = `postgres://${server.superuser}@127.0.0.1:${server.port}/shop`;
    const added = await home.run(
      ['connections', 'add', url, '--name', 'Shop', '--external-clients', 'read-write', '--password-stdin'],
      {
        stdin: server.password,
      },
    );
    if (added.code !== 0) throw new Error(added.stderr);
    await home.json(['boxes', 'add', 'agent', '--connections', 'Shop', '--wire']);
    const work = join(home.folder, 'work');
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'orm.mjs'), orm);
    symlinkSync(packages, join(work, 'node_modules'));
  }, 120_000);
  afterAll(async () => {
    await home?.clean();
    await server?.stop();
  });

  const node = dirname(dirname(process.execPath));
  const inside = (line: string) =>
    home.run(['boxes', 'run', 'agent', '--show', node, '--show', packages, '--', 'sh', '-c', line]);

  test('psql and an ORM read, a write is refused, and the port is not there', async () => {
    const psql = await inside(`psql -d Shop -Atc 'select name from customers order by id'`);
    expect(psql).toMatchObject({ code: 0, stdout: 'Ada\nGrace\nEdsger\n' });
    const ran = await inside(`${process.execPath} orm.mjs`);
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual({
      rows: [{ name: 'Ada' }, { name: 'Grace' }],
      joined: 3,
      refused: '25006',
    });
    const direct = await inside(`psql -h 127.0.0.1 -p ${server.port} -U ${server.superuser} -d shop -c 'select 1'`);
    expect(direct.code).not.toBe(0);
    expect(direct.stderr).toMatch(/refused|unreachable/);
    expect(await server.psql('select count(*) from customers', 'shop')).toBe('3');
  }, 60_000);

  test('once tables are hidden there is no wire, and what was open ends', async () => {
    const staying = inside(`psql -d Shop -Atc 'select pg_sleep(20)' -c 'select name from customers limit 1'`);
    const running =
      "select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(20)%' and pid <> pg_backend_pid()";
    await until(async () => (await server.psql(running, 'shop')) !== '', 'it sleeps');
    await home.json(['connections', 'set', 'Shop', '--hide', 'customers']);
    const ended = await staying;
    expect(ended.stdout).not.toContain('Ada');
    expect(ended.stderr).toMatch(/was changed|ended the session/);
    const again = await inside(`psql -d Shop -Atc 'select 1'`);
    expect(again.stderr).toContain('keeps tables out of sight');
  }, 60_000);
});
