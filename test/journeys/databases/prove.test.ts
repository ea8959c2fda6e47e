/**
 * `sallyport prove` with a real daemon and servers: what it tells of honest set-ups and of planted
 * holes, and that it changes nothing.
 */

import { expect, test } from '@jest/globals';
import { type Relay, relayWithoutReadOnly } from '../../servers/lying-relays.ts';
import { findPostgres, startPostgres } from '../../servers/postgres.ts';
import { describeWithThreeEngines, succeeds } from './three-engines.ts';

interface Told {
  readonly ok: boolean;
  readonly attacks: readonly {
    readonly kind: string;
    readonly tried: number;
    readonly statements: readonly { readonly sql: string; readonly class: string | null }[];
    readonly untried: number;
    readonly passed: readonly unknown[];
    readonly session: { readonly passed: number } | null;
    readonly walls: number | null;
  }[];
  readonly rights: readonly { readonly code: string; readonly on: readonly string[]; readonly revoke: string }[] | null;
  readonly around: readonly { readonly name: string; readonly ok: boolean }[];
}

describeWithThreeEngines('a proof', three => {
  const prove = async (name: string): Promise<Told> => {
    const { stdout, stderr } = await three.here(['prove', name, '--json']);
    if (!stdout.includes('"attacks"')) throw new Error(`${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  const add = (url: string, name: string, password = '') =>
    succeeds(three.here(['connections', 'add', url, '--name', name, '--password-stdin'], password));
  const wallsOf = (told: Told, kind: string) => told.attacks.find(attack => attack.kind === kind)?.walls;
  const guardHolds = (told: Told) => {
    expect(told.attacks.flatMap(({ passed }) => passed)).toEqual([]);
    expect(told.attacks.every(({ tried }) => tried > 0)).toBe(true);
  };
  const stateOf = () =>
    three.postgres.psql(
      `select md5(string_agg(o, ',' order by o)) from (select 'c' || oid || relname from pg_class where relnamespace <> 99 and relpersistence <> 't'
         union all select 'p' || oid from pg_proc union all select 'r' || rolname || rolsuper from pg_roles
         union all select 'n' || nspname || nspacl::text from pg_namespace where nspname not like 'pg\\_t%'
         union all select 'a' || setting from pg_settings where name not like '%time%'
         union all select 'g' || id || name from public.goods) as all_of_it (o)`,
      'shop',
    );

  test('of a superuser: no attack passes the guard, nothing changes, and two walls are left', async () => {
    await three.postgres.psql(
      `create table goods (id serial primary key, name text); insert into goods (name) values ('tea');
       create table sold (id int primary key, good int references goods); create view cheap as select * from goods; create sequence counted`,
      'shop',
    );
    const before = await stateOf();
    const told = await prove('Pg');
    guardHolds(told);
    expect(told.rights).toMatchObject([{ code: 'everything', revoke: expect.stringMatching(/NOSUPERUSER$/) }]);
    expect(wallsOf(told, 'all_rows')).toBe(2);
    const tried = told.attacks.flatMap(({ statements }) => statements);
    expect(tried).toContainEqual({ sql: 'TRUNCATE "public"."goods" CASCADE', class: 'destructive' });
    expect(wallsOf(told, 'passwords')).toBe(1);
    expect(told.attacks.reduce((sum, { untried }) => sum + untried, 0)).toBe(0);
    expect(await stateOf()).toBe(before);
  }, 60_000);

  test('of a role that fits: three walls, and what the other roles may do is told with its end', async () => {
    await three.postgres.psql(
      `create role fit login password 'fit'; grant select on all tables in schema public to fit;
       create role weak login password 'weak' in role pg_read_server_files; grant update on goods to weak;
       grant execute on function pg_read_file(text) to weak`,
      'shop',
    );
    const { port } = three.postgres;
    await add(`postgres://fit@127.0.0.1:${port}/shop`, 'Fit', 'fit');
    await add(`postgres://weak@127.0.0.1:${port}/shop`, 'Weak', 'weak');
    const fit = await prove('Fit');
    guardHolds(fit);
    expect(fit.rights).toEqual([]);
    // Such a home begins without a passphrase.
    expect(fit.around.filter(({ ok }) => !ok)).toMatchObject([{ name: 'passphrase' }]);
    expect(fit.ok).toBe(false);
    expect(fit.attacks.map(({ walls }) => walls)).not.toContain(1);
    expect(wallsOf(fit, 'all_rows')).toBe(3);

    const weak = await prove('Weak');
    expect(weak.ok).toBe(false);
    expect(wallsOf(weak, 'server_files')).toBe(1);
    const revokes = weak.rights?.map(({ revoke }) => revoke) ?? [];
    expect(revokes.length).toBe(3);
    const ended = await three.here(['prove', 'Weak']);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('One kind of attack is held by one wall') });
    // What it says ends a right does end it.
    await three.postgres.psql(revokes.join(';'), 'shop');
    const after = await prove('Weak');
    expect(after.rights).toEqual([]);
    expect(wallsOf(after, 'server_files')).toBe(3);
  }, 60_000);

  test('of a server that takes writes in what only reads: its wall is told as missing', async () => {
    const relay: Relay = await relayWithoutReadOnly(three.postgres.port);
    try {
      await add(`postgres://fit@127.0.0.1:${relay.port}/shop?sslmode=disable`, 'Lying', 'fit');
      const told = await prove('Lying');
      expect(told.attacks.every(({ session }) => session === null)).toBe(true);
      expect(wallsOf(told, 'all_rows')).toBe(2);
    } finally {
      await relay.stop();
    }
  }, 60_000);

  test('of a standby: the same as of its primary, and nothing is left there', async () => {
    const binaries = findPostgres();
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    const standby = await startPostgres(binaries, three.postgres);
    try {
      await add(`postgres://fit@127.0.0.1:${standby.port}/shop`, 'Standby', 'fit');
      const [there, here] = [await prove('Standby'), await prove('Fit')];
      expect(there.attacks).toEqual(here.attacks);
      expect(there.rights).toEqual(here.rights);
      expect(await standby.psql("select count(*) from pg_class where relpersistence = 't'", 'shop')).toBe('0');
    } finally {
      await standby.stop();
    }
  }, 60_000);

  test('of MariaDB and SQLite', async () => {
    await three.mariadb.client(
      `CREATE TABLE shop.goods (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(9), v INT);
       CREATE TABLE shop.sold (id INT PRIMARY KEY, good INT); CREATE VIEW shop.cheap AS SELECT * FROM shop.goods;
       CREATE USER fit@'%' IDENTIFIED BY 'fit'; GRANT SELECT, SHOW VIEW ON shop.* TO fit@'%';
       CREATE USER weak@'%' IDENTIFIED BY 'weak'; GRANT SELECT, INSERT ON shop.* TO weak@'%'; GRANT FILE, PROCESS ON *.* TO weak@'%'`,
    );
    const all = await prove('Maria');
    guardHolds(all);
    expect(all.rights).toMatchObject([{ code: 'everything' }]);
    const at = `127.0.0.1:${three.mariadb.port}/shop`;
    await add(`mariadb://fit@${at}`, 'MariaFit', 'fit');
    await add(`mariadb://weak@${at}`, 'MariaWeak', 'weak');
    const fit = await prove('MariaFit');
    guardHolds(fit);
    expect(fit.rights).toEqual([]);
    expect(fit.attacks.map(({ walls }) => walls)).toEqual(fit.attacks.map(() => 3));
    const weak = await prove('MariaWeak');
    expect(weak.rights?.map(({ code }) => code).toSorted()).toEqual(['change_rows', 'other_sessions', 'server_files']);
    expect(wallsOf(weak, 'server_files')).toBe(1);
    await three.mariadb.client(weak.rights?.map(({ revoke }) => `${revoke};`).join('\n') ?? '');
    expect((await prove('MariaWeak')).rights).toEqual([]);
    // Another's view of the same: by a pattern, and on columns alone.
    await three.mariadb.client(
      "GRANT SELECT ON `mys%`.* TO weak@'%'; GRANT UPDATE (`priv`) ON mysql.global_priv TO fit@'%'",
    );
    expect((await prove('MariaWeak')).rights).toMatchObject([{ code: 'passwords' }]);
    expect((await prove('MariaFit')).rights?.map(({ code }) => code)).toContain('accounts');

    three.executeOnFile(
      'create table goods (id integer primary key, name text); create table sold (id integer primary key, good int)',
    );
    const file = await prove('File');
    guardHolds(file);
    expect(file).toMatchObject({ rights: null });
    expect(file.attacks.map(({ walls }) => walls)).toEqual(file.attacks.map(() => 2));
  }, 60_000);

  test('what the level allows is no wall, and no fault', async () => {
    await succeeds(three.here(['connections', 'set', 'Pg', '--external-clients', 'read-write']));
    const told = await prove('Pg');
    expect(wallsOf(told, 'other_writes')).toBeNull();
    expect(wallsOf(told, 'server_files')).toBe(2);
    expect((await three.here(['prove', 'Pg'])).stdout).toMatch(/write anything else.*allowed.*your level/);
  }, 60_000);

  test('a person reads it on 80 columns, with what is around', async () => {
    const { stdout } = await three.here(['prove', 'Fit']);
    expect(stdout).toContain('AN AGENT MIGHT');
    expect(stdout).toContain('3 walls');
    expect(stdout).toMatch(/passphrase/);
    expect(stdout).toContain('There is no box for an agent');
    await succeeds(three.here(['wire', 'Fit']));
    expect((await three.here(['prove', 'Fit'])).stdout).toContain('There is no box for an agent');
    const maria = await three.here(['prove', 'Maria']);
    expect(maria.stdout).toContain('`sallyport connections role Maria` prints the SQL for a role that may not.');
    expect(maria.stdout).toContain('same server answers each time; --tls verify-full or its socket would.');
    const none = await three.here(['prove', 'Nobody']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody') });
  }, 60_000);
});
