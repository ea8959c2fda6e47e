/**
 * Databases through a tunnel that a user's program opens, with the built commands: real servers
 * behind real programs, killed and stopped.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { missingPrograms } from '../../missing-programs.ts';
import { needs } from '../../needs.ts';
import { lendMariadb, lendPostgres } from '../../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { processesOf, processesWith } from '../../servers/processes-with.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

const binaries = findPostgres();
const missing =
  missingPrograms(['socat'], 'apt-get install socat') ??
  ('unavailable' in binaries ? binaries.unavailable : mariadbUnavailable());

needs(missing).describe('a tunnel command', () => {
  let home: RealHome;
  let postgres: PostgresServer;
  let mariadb: MariadbServer;
  beforeAll(async () => {
    home = realHome();
    [postgres, mariadb] = await Promise.all([lendPostgres(), lendMariadb()]);
    await home.run(['start']);
  }, 120_000);
  afterAll(async () => {
    await home.clean();
    await postgres.stop();
    await mariadb.stop();
  });

  const target = () => `TCP:127.0.0.1:${postgres.port}`;
  const bySocket = () => `socat UNIX-LISTEN:{socket},fork,backlog=32 ${target()}`;
  const byPort = () => `socat TCP-LISTEN:{port},bind=127.0.0.1,fork ${target()}`;
  const programs = () => processesOf('socat', target());

  /** @param host the server's name at the tunnel's end. */
  async function added(name: string, command: string, host = 'localhost', ...words: string[]) {
    const url = `postgres://${postgres.superuser}:${postgres.password}@${host}:1/postgres`;
    const ran = await home.here([
      ...['connections', 'add', url, '--name', name, '--tunnel-command', command],
      ...words,
    ]);
    expect(ran).toMatchObject({ code: 0 });
    return ran;
  }
  async function tested(name: string): Promise<{ readonly reachable: boolean; readonly problem?: string }> {
    return JSON.parse((await home.here(['connections', 'test', name, '--json'])).stdout);
  }
  const asked = (name: string, sql: string) => home.here(['query', name, sql]);

  test('isn’t run when it is saved; a port that others can use is mentioned, a socket isn’t', async () => {
    expect((await added('Port', byPort())).stderr).toContain('its port is open to every program on this machine');
    expect((await added('Socket', bySocket())).stderr).not.toContain('its port');
    expect((await added('Line', `{stdio} socat - ${target()}`)).stderr).not.toContain('its port');
    expect((await home.here(['connections', 'show', 'Socket'])).stdout).toContain(`command ${bySocket()}`);
    expect(programs()).toEqual([]);
  }, 60_000);

  test.each(['Port', 'Socket', 'Line'])(
    'reads and tests through it: %s',
    async name => {
      expect(await tested(name)).toMatchObject({ reachable: true });
      expect((await asked(name, 'select 40 + 2 as answer')).stdout).toContain('42');
    },
    60_000,
  );

  test('ten sessions at once go through one program', async () => {
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, at) => asked('Socket', `select pg_sleep(0.5), ${at}`).then(({ code }) => code)),
    );
    expect(codes).toEqual(Array(10).fill(0));
    expect(processesWith('trap "" TERM', 'UNIX-LISTEN', target())).toHaveLength(1);
  }, 60_000);

  test('TLS expects the server’s own name, not the tunnel’s', async () => {
    const { caFile } = postgres.certificates;
    await added('Right', bySocket(), 'localhost', '--tls', 'verify-full', '--ca', caFile);
    expect(await tested('Right')).toMatchObject({ reachable: true });
    await added('Other', bySocket(), 'db.example', '--ca', caFile);
    expect((await tested('Other')).problem).toMatch(/its certificate is for another name/);
  }, 60_000);

  test('ends when its connection is changed, loses it or is removed', async () => {
    const socats = () => processesOf('socat', 'TCP-LISTEN', target());
    expect(socats()).not.toEqual([]);
    await home.here(['connections', 'set', 'Port', '--tunnel-command', '']);
    await until(() => socats().length === 0, 'it has ended');
    expect(JSON.parse((await home.here(['connections', 'show', 'Port', '--json'])).stdout)).not.toHaveProperty(
      'tunnel',
    );
    await home.here(['connections', 'set', 'Port', '--tunnel-command', byPort()]);
    expect(await tested('Port')).toMatchObject({ reachable: true });
    await home.here(['connections', 'remove', 'Port']);
    await until(() => socats().length === 0, 'it has ended again');
  }, 60_000);

  test('killed during a query it comes back with the next one', async () => {
    const slow = asked('Socket', 'select pg_sleep(30)');
    await until(
      async () =>
        (await postgres.ask(
          "select count(*) from pg_stat_activity where query ~ 'pg_sleep.30' and pid <> pg_backend_pid()",
        )) !== '0',
      'it runs',
    );
    const killed = processesOf('socat', 'UNIX-LISTEN', target());
    for (const pid of programs()) process.kill(pid, 'SIGKILL');
    const ended = await slow;
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/connection .*was lost/i) });
    expect((await asked('Socket', 'select 40 + 2')).stdout).toContain('42');
    expect(processesOf('socat', 'UNIX-LISTEN', target())).not.toEqual(killed);
  }, 60_000);

  test('a cancelled statement is cancelled on the server', async () => {
    const running = home.spawn(['query', 'Line', 'select pg_sleep(31)']);
    const isRunning = async () =>
      (await postgres.ask(
        "select count(*) from pg_stat_activity where query ~ 'pg_sleep.31' and pid <> pg_backend_pid()",
      )) !== '0';
    await until(isRunning, 'it runs');
    running.kill('SIGINT');
    await until(async () => !(await isRunning()), 'it was cancelled', 5);
  }, 60_000);

  test('the person sees a failure with the command’s output, a client without', async () => {
    await added('Broken', 'echo "no profile: hunter2" >&2; exit 5 # {port}');
    expect((await tested('Broken')).problem).toMatch(
      /its tunnel command ended with exit code 5.*It wrote: no profile: hunter2$/s,
    );
    const told = await asked('Broken', 'select 1');
    expect(told.code).toBe(1);
    expect(told.stderr).toContain('its tunnel command ended with exit code 5');
    expect(JSON.stringify(told)).not.toContain('hunter2');
  }, 60_000);

  test('MariaDB can be reached as well', async () => {
    const url = `mariadb://${mariadb.user}:${mariadb.password}@localhost:1/mysql`;
    const command = `socat UNIX-LISTEN:{socket},fork TCP:127.0.0.1:${mariadb.port}`;
    await home.here(['connections', 'add', url, '--name', 'Maria', '--tunnel-command', command]);
    expect(await tested('Maria')).toMatchObject({ reachable: true });
    expect((await asked('Maria', 'select 40 + 2 as answer')).stdout).toContain('42');
  }, 60_000);

  test('one for several servers, or for a socket, is refused', async () => {
    const at = (place: string) =>
      home.here(['connections', 'add', `postgres://u@${place}`, '--name', 'X', '--tunnel-command', 'x']);
    expect((await at('a,b/d')).stderr).toContain('--tunnel-command: a command leads to one server');
    expect((await at('/d?host=/run/postgresql')).stderr).toContain('--tunnel-command: it leads to a host');
  }, 60_000);

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'nothing of it remains after %s',
    async signal => {
      await home.run(['start']);
      for (const name of ['Socket', 'Line', 'Maria']) expect((await asked(name, 'select 1')).code).toBe(0);
      expect(programs().length).toBeGreaterThan(1);
      await home.end(signal);
      await until(
        () => [...programs(), ...processesOf('socat', `127.0.0.1:${mariadb.port}`)].length === 0,
        'all have ended',
        10,
      );
    },
    60_000,
  );
});
