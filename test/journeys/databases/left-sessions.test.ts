/**
 * A daemon is killed during statements: their sessions and row locks end soon, and other programs'
 * sessions continue. PostgreSQL notices by itself; the next start ends those that MariaDB or an
 * open line keeps.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { modern, send } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';
import { connectionNames, describeWithThreeEngines, succeeds } from './three-engines.ts';

/**
 * Forwards everything, and keeps the server's side open after the client's has gone: a tunnel or
 * balancer that reports no end.
 */
async function openDeafLine(to: number) {
  const far = new Set<Socket>();
  const server = createServer(near => {
    const socket = connect(to, '127.0.0.1');
    far.add(socket);
    near.on('error', () => {});
    socket.on('error', () => {});
    socket.on('close', () => {
      far.delete(socket);
      near.destroy();
    });
    near.on('data', bytes => socket.write(bytes));
    socket.on('data', bytes => near.write(bytes));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of far) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

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
      mysql: "update kept set k = concat('ours', sleep(25)) where id = 1",
    } as const;
    /** Another program's, by the same user. */
    const others = {
      postgres: () => three.postgres.psql('select pg_sleep(12)', 'shop'),
      mysql: () => three.mariadb.client('select sleep(12)', { database: 'shop' }),
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

    const query = (connection: string, sql: string) =>
      send(
        url,
        modern(token, 'tools/call', { name: 'execute_query', arguments: { connection, sql, timeout_seconds: 60 } }),
      );
    const begun = async (engine: 'postgres' | 'mysql', connection: string = connectionNames[engine]): Promise<void> => {
      void query(connection, slow[engine]).catch(() => {});
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
      expect(await seen('postgres')).toHaveLength(1);
      await start();
      await other;
    }, 60_000);

    test('MariaDB: the next start ends them, and no other session', async () => {
      const other = others.mysql();
      await begun('mysql');
      expect(statSync(noted()).mode & 0o777).toBe(0o600);
      await three.home.end('SIGKILL');
      await start();
      await until(async () => !(await seen('mysql')).some(sql => sql.includes('ours')), 'it has ended', 5);
      await isUnlocked('mysql');
      expect(await seen('mysql')).toHaveLength(1);
      await other;
    }, 60_000);

    test.each(['postgres', 'mysql'] as const)(
      '%s over a line that stays open: the next start ends them',
      async engine => {
        const line = await openDeafLine(three[engine === 'mysql' ? 'mariadb' : 'postgres'].port);
        try {
          const at = `127.0.0.1:${line.port}/shop`;
          const [url, password] =
            engine === 'postgres'
              ? [`postgresql://${three.postgres.superuser}@${at}`, three.postgres.password]
              : [`mariadb://${three.mariadb.user}@${at}`, three.mariadb.password];
          await succeeds(
            three.here(
              [
                'connections',
                'add',
                url,
                '--name',
                `Deaf ${engine}`,
                '--external-clients',
                'read-write',
                '--password-stdin',
              ],
              password,
            ),
          );
          await begun(engine, `Deaf ${engine}`);
          await three.home.end('SIGKILL');
          await new Promise(resolve => setTimeout(resolve, 2_000));
          expect((await seen(engine)).some(sql => sql.includes('ours'))).toBe(true);
          await start();
          await until(async () => !(await seen(engine)).some(sql => sql.includes('ours')), 'it has ended', 5);
          await isUnlocked(engine);
        } finally {
          await line.close();
        }
      },
      60_000,
    );

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
