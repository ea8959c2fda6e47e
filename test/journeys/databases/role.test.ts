/**
 * `sallyport connections role` with a real daemon, from the advice to a client that reads and
 * writes as the new role.
 */

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { missingForTyping, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';
import { connectionNames, describeWithThreeEngines } from './three-engines.ts';

describeWithThreeEngines('a fitting role', three => {
  const typed = (words: readonly string[], answers: readonly (readonly [string, string])[]) =>
    runOnTerminal(
      { spawnProgram: (program, args) => spawn(program, args, { env: three.home.environment }) },
      words,
      answers,
    );
  const show = async (name: string) => JSON.parse((await three.here(['connections', 'show', name, '--json'])).stdout);
  const roles = () =>
    three.postgres.ask(`select string_agg(rolname, ',') from pg_roles where rolname like 'sallyport%'`);
  const users = async () =>
    (await three.mariadb.ask(`SELECT User FROM mysql.user WHERE User LIKE 'sallyport%'`)).trim();

  test('is advised by the test, the doctor and the addition, and shown without being made', async () => {
    await three.postgres.psql(
      `create table goods (id serial primary key, name text); insert into goods (name) values ('tea')`,
      'shop',
    );
    await three.mariadb.client(
      `CREATE TABLE shop.goods (id INT PRIMARY KEY AUTO_INCREMENT, name TEXT); INSERT INTO shop.goods (name) VALUES ('tea')`,
    );
    for (const name of [connectionNames.postgres, connectionNames.mysql]) {
      const advice = `\`sallyport connections role ${name}\` prints the SQL for a role`;
      expect((await three.here(['connections', 'test', name])).stdout).toContain(advice);
      const { stdout: examined } = await three.here(['doctor', '--all']);
      expect(examined).toContain(advice);
      // Maria's password comes from a command, which may ask for a fingerprint, so it isn't
      // dialled.
      expect(examined.includes(`${name} answers: `)).toBe(name === connectionNames.postgres);
      const planned = await three.here(['connections', 'role', name]);
      expect(planned).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was run.') });
      for (const line of planned.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    const added = await three.here(['connections', 'add', 'postgres://postgres@127.0.0.1/x', '--name', 'It', '--json']);
    expect(added.stderr).toContain('`sallyport connections role It`');
    expect(await roles()).toBe('');
    expect(await users()).toBe('');
  }, 60_000);

  needs(missingForTyping()).test(
    'on a terminal it asks, and Enter denies',
    async () => {
      const words = ['connections', 'role', connectionNames.postgres, '--apply'];
      const no = await typed(words, [['[y/N]', '']]);
      expect(no.code).toBe(1);
      expect(no.shown).toContain('Stopped; nothing was changed.');
      expect(await roles()).toBe('');
      const yes = await typed(words, [['[y/N]', 'y']]);
      expect(yes.shown).toContain('Pg signs in as sallyport_ro_pg now; its password is in the secret store.');
      expect(yes.code).toBe(0);
      expect(await show('Pg')).toMatchObject({
        user: 'sallyport_ro_pg',
        password: { kind: 'stored' },
        externalClients: { level: 'readOnly' },
      });
      expect((await three.here(['connections', 'test', 'Pg', '--json'])).stdout).toContain('"warnings": []');
    },
    60_000,
  );

  test('without a terminal it needs --yes, and says that the password is stored from then on', async () => {
    const words = ['connections', 'role', connectionNames.mysql, '--apply', '--json'];
    expect(await three.run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes to agree') });
    const { code, stdout } = await three.run([...words, '--yes']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      applied: true,
      role: 'sallyport_ro_maria',
      notes: expect.arrayContaining([expect.stringContaining('no longer comes from a command')]),
    });
    expect(await show('Maria')).toMatchObject({ user: 'sallyport_ro_maria', password: { kind: 'stored' } });
  }, 60_000);

  test('a client reads as the new role, and a read-only connection isn’t advised any more', async () => {
    const { token } = await three.mint('--scope', 'read-write');
    for (const engine of ['postgres', 'mysql'] as const) {
      const read = await three.query(token, engine, 'select name, current_user from goods');
      expect(read.structuredContent?.rows).toEqual([['tea', expect.stringMatching(/^sallyport_ro_/)]]);
      const name = connectionNames[engine];
      expect((await three.here(['connections', 'test', name])).stdout).not.toContain('connections role');
    }
  }, 60_000);

  test('the new role can’t make another, which a sentence says, and nothing changes', async () => {
    for (const [name, left] of [
      ['Pg', roles],
      ['Maria', users],
    ] as const) {
      const before = await show(name);
      const tried = await three.here(['connections', 'role', name, '--access', 'read-write', '--apply', '--yes']);
      expect(tried.code).toBe(1);
      expect(tried.stderr.replace(/\s+/g, ' ')).toMatch(
        /^sallyport: No role was made, and the connection stays as it was: /,
      );
      expect(await show(name)).toEqual(before);
      expect(await left()).toBe(before.user);
    }
  }, 60_000);

  test('one that can’t sign in is removed again, and the connection stays', async () => {
    await asOwner();
    await three.postgres.psql('alter database shop connection limit 0');
    const before = await show('Pg');
    const tried = await three.here(['connections', 'role', 'Pg', '--role', 'late', '--apply', '--yes']);
    await three.postgres.psql('alter database shop connection limit -1');
    expect(tried.code).toBe(1);
    expect(tried.stderr.replace(/\s+/g, ' ')).toMatch(/No role was made.*could not sign in.*too many connections/);
    expect(await show('Pg')).toEqual(before);
    expect(await three.postgres.psql(`select count(*) from pg_roles where rolname = 'late'`)).toBe('0');
  }, 60_000);

  test('a read-write role previews and writes what a client asks, and nothing else', async () => {
    await asOwner();
    const { token } = await three.mint('--scope', 'read-write');
    for (const engine of ['postgres', 'mysql'] as const) {
      const name = connectionNames[engine];
      const raised = await three.here(['connections', 'set', name, '--external-clients', 'read-write']);
      expect(raised.code).toBe(0);
      const made = await three.here([
        'connections',
        'role',
        name,
        '--schema',
        engine === 'postgres' ? 'public' : 'shop',
        '--apply',
        '--yes',
      ]);
      expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Nobody confirmed that: .*\n$/) });
      expect(await show(name)).toMatchObject({ user: `sallyport_rw_${name.toLowerCase()}` });
      const sql = "update goods set name = 'rye' where id = 1";
      const preview = await three.call(token, 'preview_write', { connection: name, sql });
      expect(JSON.stringify(preview.json.result)).toContain('"rows_affected":1');
      expect((await three.query(token, engine, sql)).isError).not.toBe(true);
      expect((await three.query(token, engine, 'select name from goods')).structuredContent?.rows).toEqual([['rye']]);
    }
  }, 120_000);

  test('SQLite has none, and a sentence says what limits it instead', async () => {
    expect(await three.here(['connections', 'role', 'File'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^sallyport: SQLite has no roles: at the level read-only/),
    });
  });

  test('the activity log has it, and no log has a password', async () => {
    const { stdout } = await three.here(['activity', '--category', 'admin', '--json']);
    expect(stdout).toContain('connection.role');
    expect(stdout).toContain('moved to sallyport_ro_pg, readOnly');
    const folder = `${three.home.home}/logs`;
    const logs = readdirSync(folder).map(file => readFileSync(`${folder}/${file}`, 'utf8'));
    expect(logs.join('\n')).not.toMatch(/SCRAM-SHA-256\$|mysql_native_password|IDENTIFIED/);
  });

  /** Makes both connections what they were at first. */
  async function asOwner(): Promise<void> {
    const { postgres, mariadb } = three;
    const url = (scheme: string, user: string, port: number) => `${scheme}://${user}@127.0.0.1:${port}/shop`;
    const set = (name: string, to: string, password: string) =>
      three.here(['connections', 'set', name, '--url', to, '--password-stdin'], password);
    expect((await set('Pg', url('postgres', postgres.superuser, postgres.port), postgres.password)).code).toBe(0);
    expect((await set('Maria', url('mysql', mariadb.user, mariadb.port), mariadb.password)).code).toBe(0);
  }
});
