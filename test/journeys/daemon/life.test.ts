/**
 * How the built daemon starts, stops, dies and comes back, with any name of its home and any
 * program on its port.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { locationsIn } from '../../../shared/locations.ts';
import { modern } from '../../bridge/bridge-process.ts';
import { bin, RealHome } from '../../bridge/real-home.ts';
import { send, modern as wireModern } from '../../clients/http/wire.ts';
import { halt, sqliteChildren } from '../../engines/sqlite/busy-children.ts';
import { signalEach } from '../../servers/daemons.ts';
import { executeOn } from '../../sqlite-file.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import {
  connectionNames,
  describeWithThreeEngines,
  engineNames,
  runCommand,
  runSallyport,
} from '../databases/three-engines.ts';

const homes: RealHome[] = [];
const newHome = (pathBytes = 0, name = 'home'): RealHome => {
  const home = new RealHome(pathBytes, name);
  homes.push(home);
  return home;
};
afterEach(async () => {
  await Promise.all(homes.splice(0).map(home => home.clean()));
});
/**
 * It checks every twenty seconds whether its home exists. It does so during the other tests, and
 * the last one sees it end.
 */
const abandonedHome = new RealHome();
let abandoned: ReturnType<typeof daemonOf>;
beforeAll(async () => {
  abandoned = await homelessDaemon(abandonedHome);
}, 60_000);
afterAll(() => abandonedHome.clean());

const daemonOf = (home: RealHome) => {
  const child = spawn(join(bin, 'sallyportd'), { env: home.environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk;
    });
  }
  const exited = new Promise<number | null>(resolve => child.once('close', resolve));
  return { child, exited, output: () => output };
};

test('two daemons started at the same moment: one runs, the other exits normally and names it', async () => {
  const home = newHome();
  const both = [daemonOf(home), daemonOf(home)];
  const first = await Promise.race(both.map(({ exited }, at) => exited.then(code => ({ at, code }))));
  const loser = both[first.at];
  const winner = both[1 - first.at];
  expect(first.code).toBe(0);
  expect(loser?.output()).toBe(`Sallyport already runs for ${home.home} (process ${winner?.child.pid}).\n`);
  expect(home.handshake()?.pid).toBe(winner?.child.pid);
  expect(home.daemons()).toEqual([winner?.child.pid]);
  winner?.child.kill('SIGTERM');
  expect(await winner?.exited).toBe(0);
  expect(winner?.output()).toBe('');
}, 60_000);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: the daemon leaves no handshake and no socket, and ends with 0',
  async signal => {
    const home = newHome();
    const { child, exited } = daemonOf(home);
    await until(() => home.handshake() !== null, 'the daemon is ready');
    child.kill(signal);
    expect(await exited).toBe(0);
    expect(readdirSync(home.home).filter(name => /sock|handshake/.test(name))).toEqual([]);
  },
  60_000,
);

/**
 * False if something was written to it meanwhile; `maxRetries` would only retry the empty folder.
 */
function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw error;
  }
}

async function homelessDaemon(home: RealHome): Promise<ReturnType<typeof daemonOf>> {
  const daemon = daemonOf(home);
  await until(() => home.handshake() !== null, 'the daemon is ready');
  await until(() => isRemoved(home.home), 'its home is gone');
  return daemon;
}

test('a daemon whose home was removed ends at the first SIGTERM', async () => {
  const { child, exited } = await homelessDaemon(newHome());
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 60_000);

test('killed with SIGKILL it starts again over its stale socket and handshake', async () => {
  const home = newHome();
  home.sallyport('start');
  const before = home.handshake();
  const { controlSocket } = locationsIn(home.home);
  signalEach(home.daemons(), 'SIGKILL');
  await until(() => home.daemons().length === 0, 'it is dead');
  expect(existsSync(controlSocket)).toBe(true);
  const said = await runSallyport(home.environment, ['status'], '');
  expect(said.code).toBe(69);
  expect((await runSallyport(home.environment, ['start'], '')).code).toBe(0);
  expect(home.handshake()?.instance).not.toBe(before?.instance);
  expect(home.daemons()).toHaveLength(1);
}, 60_000);

test('a store of another version is refused by name and left unchanged', async () => {
  const home = newHome();
  home.sallyport('start');
  home.sallyport('stop');
  const { store } = locationsIn(home.home);
  executeOn(store, 'pragma user_version = 999');
  const untouched = () =>
    readdirSync(home.home)
      .filter(name => name.startsWith('sallyport.db'))
      .map(name => [
        name,
        createHash('sha256')
          .update(readFileSync(join(home.home, name)))
          .digest('hex'),
      ]);
  const before = untouched();
  const { code, stderr } = await runCommand('sallyportd', home.environment);
  expect(code).toBe(1);
  expect(stderr).toContain(`${store} is a store of another version of Sallyport`);
  expect(stderr).toContain('999');
  expect(untouched()).toEqual(before);
  expect(home.handshake()).toBeNull();
  // Each start reports the same.
  const started = await runSallyport(home.environment, ['start'], '');
  expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining('another version of Sallyport') });
}, 60_000);

test.each<[string, number, string]>([
  ['150 bytes long', 150, 'home'],
  ['with spaces and letters of no ASCII', 0, "Zoë's data – 日本 🎉"],
  ['with spaces, letters of no ASCII, and 150 bytes', 150, 'Zoë’s data – 日本 🎉'],
])(
  'a home %s',
  async (_, pathBytes, name) => {
    const home = newHome(pathBytes, name);
    const ran = (...words: string[]) => runSallyport(home.environment, words, '');
    expect((await ran('start')).code).toBe(0);
    expect((await ran('demo')).code).toBe(0);
    const args = { connection: 'demo', sql: 'select count(*) from customers' };
    const answer = await home.bridge().ask(modern(1, 'tools/call', { name: 'execute_query', arguments: args }));
    expect(answer.result).toMatchObject({ structuredContent: { rows: [[2000]] } });
    expect(JSON.parse((await ran('status', '--json')).stdout)).toMatchObject({ home: home.home, state: 'ready' });
    const { controlSocket, controlSocketFolder } = locationsIn(home.home);
    expect(Buffer.byteLength(controlSocket)).toBeLessThanOrEqual(103);
    expect((await ran('stop')).code).toBe(0);
    expect(existsSync(controlSocket)).toBe(false);
    if (controlSocketFolder !== home.home) expect(existsSync(controlSocketFolder)).toBe(false);
  },
  60_000,
);

describe('a port that another program has', () => {
  let stranger: Server | null = null;
  afterEach(async () => {
    await new Promise<void>(resolve => (stranger === null ? resolve() : stranger.close(() => resolve())));
    stranger = null;
  });

  test('another one is used, and status and the handshake say which', async () => {
    stranger = createServer(socket => socket.destroy());
    const listening = stranger;
    // If another test's daemon has it, that one is the stranger.
    await new Promise<void>(resolve => {
      listening.once('error', () => {
        stranger = null;
        resolve();
      });
      listening.listen(27_432, '127.0.0.1', resolve);
    });
    const home = newHome();
    expect((await runSallyport(home.environment, ['start'], '')).code).toBe(0);
    const port = home.handshake()?.port ?? 0;
    expect(port).not.toBe(27_432);
    const status = JSON.parse((await runSallyport(home.environment, ['status', '--json'], '')).stdout);
    expect(status.port).toBe(port);
    expect(status.notes).toContainEqual({
      code: 'port_taken',
      sentence: expect.stringMatching(new RegExp(`27432.*${port}`)),
      advice: expect.stringContaining('settings set port'),
    });
    const shown = await runSallyport(home.environment, ['status'], '');
    expect(shown.stdout).toContain(`http://127.0.0.1:${port}/mcp`);
    expect((await home.bridge().ask(modern(1, 'tools/list'))).error).toBeUndefined();
  }, 60_000);
});

test('a home that belongs to another user, or isn’t a folder, is refused in one sentence', async () => {
  const home = newHome();
  mkdirSync(join(home.folder, 'plain'));
  const file = join(home.folder, 'plain', 'file');
  executeOn(file, 'create table a (b)');
  const { code, stderr } = await runCommand('sallyportd', { ...home.environment, SALLYPORT_HOME: file });
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(file);
}, 60_000);

describeWithThreeEngines('stopped during queries on each engine', three => {
  test('it drains for 3 s, tells the clients, and leaves nothing: no process, no file, no session in a server', async () => {
    const { token } = await three.mint();
    const slow = {
      postgres: 'select pg_sleep(60)',
      mysql: 'select sleep(60)',
      sqlite: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
    };
    const short = three.query(token, 'postgres', 'select pg_sleep(1.5)');
    const answers = engineNames.map(engine => {
      const args = { connection: connectionNames[engine], sql: slow[engine], timeout_seconds: 120 };
      return send(three.url, wireModern(token, 'tools/call', { name: 'execute_query', arguments: args }));
    });
    await Promise.all(
      engineNames.map(engine => until(async () => (await three.running(engine)).length > 0, `${engine} is busy`)),
    );
    const children = await sqliteChildren(three.daemonPid);
    expect(children.length).toBeGreaterThan(0);
    for (const { pid } of children) halt(pid);

    const start = performance.now();
    process.kill(three.daemonPid, 'SIGTERM');
    // A call that ends during the drain gets its answer.
    expect((await short).isError).toBeUndefined();
    for (const { status, json } of await Promise.all(answers)) {
      expect({ status, code: json.error?.code }).toEqual({ status: 503, code: -33006 });
    }
    await until(() => three.home.daemons().length === 0, 'the daemon has ended');
    expectWithin(start, 7_000);
    expect(children.filter(pid => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(readdirSync(three.home.home).filter(name => /sock|handshake|-wal|-journal/.test(name))).toEqual([]);
    await until(async () => (await three.running('mysql')).length === 0, 'MariaDB runs nothing', 3);
    await until(
      async () =>
        (await three.postgres.ask("select count(*) from pg_stat_activity where application_name like 'Sallyport%'")) ===
        '0',
      'PostgreSQL has no session of ours',
      3,
    );
  }, 60_000);
});

test('a daemon whose home was removed ends by itself without a signal', async () => {
  expect(await abandoned.exited).toBe(0);
}, 60_000);

test('a chosen port is chosen again: four starts use one port, and the configured one once it is free', async () => {
  const home = newHome();
  const holder = createServer();
  await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' ? address?.port : null;
  const ports: (number | undefined)[] = [];
  try {
    await home.here('start');
    await home.here('settings', 'set', 'port.fallback', 'true');
    const moved = await home.here('settings', 'set', 'port', String(port)).catch((error: Error) => error.message);
    expect(moved).toEqual(expect.anything());
    for (let start = 0; start < 4; start++) {
      await home.here('restart');
      ports.push(home.handshake()?.port);
    }
    expect(new Set(ports).size).toBe(1);
    expect(ports[0]).not.toBe(port);
    await home.end('SIGKILL');
    await home.here('start');
    expect(home.handshake()?.port).toBe(ports[0]);
  } finally {
    await new Promise(resolve => holder.close(resolve));
  }
  await home.here('restart');
  expect(home.handshake()?.port).toBe(port);
});

test('a daemon that can’t start says why at once, to the client, in its log and to doctor, until it can', async () => {
  const home = newHome();
  writeFileSync(locationsIn(home.home).store, 'this is no database, whatever its name says'.repeat(40), {
    mode: 0o600,
  });
  const began = performance.now();
  const { error } = await home.bridge().ask(modern(1, 'tools/list'));
  expectWithin(began, 4_000);
  const why = `${locationsIn(home.home).store} is damaged`;
  expect(error?.message).toContain(why);
  expect(readFileSync(join(locationsIn(home.home).logs, 'sallyportd.log'), 'utf8')).toContain('could not start: ');
  const doctor = await runSallyport(home.environment, ['doctor', '--json'], '');
  const daemon = JSON.parse(doctor.stdout).checks.find(({ name }: { name: string }) => name === 'daemon');
  expect(daemon).toMatchObject({ advice: true });
  expect(JSON.stringify(daemon)).toContain('is damaged');
  rmSync(locationsIn(home.home).store);
  await home.here('start');
  expect(existsSync(join(home.home, 'start-failure.json'))).toBe(false);
});
