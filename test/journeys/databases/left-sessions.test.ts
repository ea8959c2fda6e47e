/**
 * A daemon is killed during statements: their sessions and row locks end, and other programs'
 * sessions continue. PostgreSQL notices soon and by itself; MariaDB and MySQL once a write has run
 * to its end, and then take it back.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { modern, send } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';
import { connectionNames, describeWithThreeEngines, succeeds } from './three-engines.ts';

describeWithThreeEngines(
  'after a kill during statements',
  three => {
    let token: string;
    let url: string;
    const noted = () => join(three.home.home, 'unfinished');
    beforeAll(async () => {
      // It stays the same over restarts.
      url = `http://127.0.0.1:${await three.home.moveToOwnPort()}/mcp`;
      ({ token } = await three.mint('--scope', 'read-write'));
      for (const name of [connectionNames.postgres, connectionNames.mysql])
        await succeeds(three.here(['connections', 'set', name, '--external-clients', 'read-write']));
      await three.postgres.psql(
        'create table kept (id int primary key, k text); insert into kept values (1, $$a$$)',
        'shop',
      );
      await three.mariadb.client("create table kept (id int primary key, k text); insert into kept values (1, 'a')", {
        database: 'shop',
      });
    }, 60_000);

    const slow = {
      postgres: "update kept set k = 'ours' || pg_sleep(25)::text where id = 1",
      mysql: "update kept set k = concat('ours', sleep(8)) where id = 1",
    } as const;
    /** Another program's, by the same user. */
    const others = {
      postgres: () => three.postgres.psql('select pg_sleep(120)', 'shop'),
      mysql: () => three.mariadb.client('select sleep(120)', { database: 'shop' }),
    } as const;
    const seen = async (engine: 'postgres' | 'mysql'): Promise<string[]> => {
      const printed =
        engine === 'postgres'
          ? await three.postgres.ask(
              "select query from pg_stat_activity where state = 'active' and query like '%sleep(%' and pid <> pg_backend_pid()",
            )
          : await three.mariadb.ask(
              "select info from information_schema.processlist where info like '%sleep(%' and id <> connection_id()",
            );
      return printed.split('\n').filter(line => line !== '');
    };

    /** The test needn't wait for their sleep. */
    const endOthers = async (engine: 'postgres' | 'mysql', other: Promise<unknown>): Promise<void> => {
      const ended = expect(other).rejects.toThrow();
      if (engine === 'postgres')
        await three.postgres.ask(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like '%sleep(120)%' and pid <> pg_backend_pid()",
        );
      else {
        const id =
          "select id from information_schema.processlist where info like '%sleep(120)%' and id <> connection_id()";
        await three.mariadb.ask(`kill ${(await three.mariadb.ask(id)).trim()}`);
      }
      await ended;
    };

    const query = (connection: string, sql: string) =>
      send(
        url,
        modern(token, 'tools/call', { name: 'execute_query', arguments: { connection, sql, timeout_seconds: 60 } }),
      );
    const begun = async (engine: 'postgres' | 'mysql'): Promise<void> => {
      void query(connectionNames[engine], slow[engine]).catch(() => {});
      await until(async () => (await seen(engine)).some(sql => sql.includes('ours')), 'the update runs');
    };
    const start = () => succeeds(three.run(['start']));
    const isUnlocked = async (engine: 'postgres' | 'mysql'): Promise<void> => {
      if (engine === 'postgres')
        await three.postgres.psql("set lock_timeout = '2s'; update kept set k = 'b' where id = 1", 'shop');
      else
        await three.mariadb.client("set innodb_lock_wait_timeout = 2; update kept set k = 'b' where id = 1", {
          database: 'shop',
        });
    };

    test('PostgreSQL itself ends them within seconds, before anything is started', async () => {
      const other = others.postgres();
      await begun('postgres');
      await three.home.end('SIGKILL');
      await until(async () => !(await seen('postgres')).some(sql => sql.includes('ours')), 'it has ended', 5);
      await isUnlocked('postgres');
      await start();
      expect(await seen('postgres')).toHaveLength(1);
      await endOthers('postgres', other);
    }, 60_000);

    test('MariaDB runs a write to its own end, and nothing of it stays', async () => {
      const other = others.mysql();
      await begun('mysql');
      expect(statSync(noted()).mode & 0o777).toBe(0o600);
      await three.home.end('SIGKILL');
      await start();
      expect((await seen('mysql')).some(sql => sql.includes('ours'))).toBe(true);
      await until(async () => !(await seen('mysql')).some(sql => sql.includes('ours')), 'it has ended', 20);
      await until(async () => {
        const open = 'select count(*) from information_schema.innodb_trx';
        return (await three.mariadb.ask(open)).trim() === '0';
      }, 'it is taken back');
      expect((await three.mariadb.ask('select k from kept where id = 1', 'shop')).trim()).toBe('a');
      await isUnlocked('mysql');
      expect(await seen('mysql')).toHaveLength(1);
      await endOthers('mysql', other);
    }, 60_000);

    test('a clean stop leaves no note', async () => {
      await query(connectionNames.mysql, 'select 1');
      expect(readFileSync(noted(), 'utf8')).not.toContain(three.mariadb.password);
      await succeeds(three.run(['stop']));
      expect(existsSync(noted())).toBe(false);
      await start();
    }, 60_000);
  },
  { servers: 'own' },
);
