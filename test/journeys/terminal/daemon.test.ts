/** The built `sallyport` starts, shows and stops the real daemon. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { locationsIn } from '../../../shared/locations.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

let home: RealHome;
afterEach(() => home.clean());

test('start returns when the daemon is ready, status shows it, stop returns when it is gone', async () => {
  home = realHome();
  const started = await home.run(['start']);
  expect(started).toMatchObject({ code: 0, stderr: '' });
  expect(started.stdout).toMatch(/^Sallyport is running \(process \d+, port \d+\)\.\n$/);

  const handshake = JSON.parse(readFileSync(join(home.home, 'mcp-handshake.json'), 'utf8'));
  const status = await home.json<Record<string, unknown>>(['status']);
  expect(status).toMatchObject({
    running: true,
    state: 'ready',
    pid: handshake.pid,
    port: handshake.port,
    home: home.home,
  });
  expect((await fetch(`http://127.0.0.1:${handshake.port}/mcp`, { method: 'POST' })).status).toBe(401);

  const shown = await home.run(['status']);
  expect(shown.stdout).toMatch(/^Sallyport \d.* is running\n/);
  expect(shown.stdout).toContain(`http://127.0.0.1:${handshake.port}/mcp`);
  // No colour unless it is shown on a terminal.
  expect(shown.stdout).not.toContain('\u001b');

  const again = await home.run(['start']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toContain(`already running (process ${handshake.pid}`);

  expect(await home.run(['stop'])).toEqual({
    code: 0,
    stdout: "Sallyport has stopped. A client's next call starts it again (`--until-login` prevents that).\n",
    stderr: '',
  });
  expect(home.daemons()).toEqual([]);
  expect(existsSync(join(home.home, 'mcp-handshake.json'))).toBe(false);
  expect(existsSync(join(home.home, 'control.sock'))).toBe(false);
}, 60_000);

test('stop --until-login: no bridge starts it, `start` does, and after a plain stop bridges start it again', async () => {
  home = realHome();
  const asked = async (): Promise<string> => {
    const child = home.spawnProgram(join(dirname(executable), 'sallyport-mcp'), []);
    let answer = '';
    child.stdout?.on('data', chunk => {
      answer += chunk;
    });
    child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await until(() => answer.includes('\n'), 'the bridge has answered');
    child.stdin?.end();
    return answer;
  };
  expect((await home.run(['start'])).code).toBe(0);
  const stopped = await home.run(['stop', '--until-login']);
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('until you log in again') });
  expect(await asked()).toContain('stopped it until the next login');
  expect(home.daemons()).toEqual([]);
  expect((await home.run(['start'])).code).toBe(0);
  expect((await home.run(['stop', '--until-login'])).code).toBe(0);
  expect((await home.run(['stop'])).code).toBe(69);
  expect(await asked()).not.toContain('until the next login');
  expect(home.daemons()).toHaveLength(1);
}, 60_000);

test('without a daemon each command that needs one ends with 69 and one sentence', async () => {
  home = realHome(0, 'owner');
  const commands = [
    ['status'],
    ['stop'],
    ['connections', 'list'],
    ['connections', 'show', 'x'],
    ['connections', 'set', 'x', '--group', 'g'],
    ['connections', 'test', 'x'],
    ['connections', 'remove', 'x'],
    ['tokens', 'list'],
    ['tokens', 'mint', '--name', 'x'],
    ['tokens', 'revoke', 'x'],
    ['tokens', 'delete', 'x'],
    ['passphrase', 'set'],
    ['passphrase', 'confirm'],
    ['passphrase', 'reset'],
  ];
  for (const words of commands) {
    const { code, stdout, stderr } = await home.run(words);
    expect([words, code, stdout]).toEqual([words, 69, '']);
    expect(stderr).toMatch(/^sallyport: Sallyport is not running.*\.\n$/);
  }
  const asJson = await home.run(['status', '--json']);
  expect(asJson.code).toBe(69);
  expect(JSON.parse(asJson.stdout)).toEqual({ running: false, home: home.home, past: [], passwords: [] });
  expect(existsSync(home.home)).toBe(false);
}, 60_000);

test('only this user can use anything in the home', async () => {
  home = realHome();
  await home.run(['start']);
  await home.run(['demo']);
  expect(statSync(home.home).mode & 0o777).toBe(0o700);
  for (const entry of readdirSync(home.home, { recursive: true, withFileTypes: true })) {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    expect([entry.name, (mode & 0o777).toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
  }
}, 60_000);

test('two starts at the same moment: one daemon, both say where', async () => {
  home = realHome();
  const [one, two] = await Promise.all([home.run(['start']), home.run(['start'])]);
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(pidIn(one.stdout)).toBe(pidIn(two.stdout));
  await until(() => home.daemons().length === 1, 'the one that came too late has ended');
  expect(home.daemons()).toEqual([pidIn(one.stdout)]);
}, 60_000);

test('after a kill -9 the stale socket and handshake don’t matter', async () => {
  home = realHome();
  const first = pidIn((await home.run(['start'])).stdout);
  await home.end('SIGKILL');
  expect((await home.run(['status'])).code).toBe(69);
  const second = pidIn((await home.run(['start'])).stdout);
  expect(second).not.toBe(first);
  expect((await home.run(['status'])).code).toBe(0);
}, 60_000);

test('a home whose path is 150 bytes long', async () => {
  home = realHome(150);
  expect(Buffer.byteLength(home.home)).toBe(150);
  expect((await home.run(['start'])).code).toBe(0);
  expect((await home.run(['status'])).code).toBe(0);
  const { controlSocketFolder } = locationsIn(home.home);
  expect(controlSocketFolder).not.toBe(home.home);
  expect(existsSync(controlSocketFolder)).toBe(true);
  expect((await home.run(['stop'])).code).toBe(0);
  expect(existsSync(controlSocketFolder)).toBe(false);
}, 60_000);

test('a launched daemon sees nothing of the caller’s environment', async () => {
  home = realHome();
  const environment = { PGPASSWORD: 'hunter2', NODE_OPTIONS: '--no-warnings', LD_EXAMPLE: '1', http_proxy: 'http://x' };
  const pid = pidIn((await home.run(['start'], { environment })).stdout);
  const seen = readFileSync(`/proc/${pid}/environ`, 'utf8');
  for (const name of Object.keys(environment)) expect(seen).not.toContain(`${name}=`);
  expect(seen).not.toContain('hunter2');
}, 60_000);

test('--foreground runs until a signal, prints what to paste and leaves nothing behind', async () => {
  home = realHome();
  const child = home.spawn(['start', '--foreground']);
  let printed = '';
  child.stdout?.on('data', chunk => {
    printed += chunk;
  });
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  await until(() => printed.includes('tokens mint'), 'it prints what to paste');
  expect(printed).toContain(`claude mcp add sallyport --env SALLYPORT_HOME=${home.home} -- `);
  expect(printed).toMatch(/"command": ".*\/build\/bin\/sallyport-mcp"/);
  const { pid } = await home.json<{ pid: number }>(['status']);
  expect(home.daemons()).toContain(pid);
  const other = await home.run(['start', '--foreground']);
  expect(other).toMatchObject({ code: 0 });
  expect(other.stdout).toContain('already running');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(home.daemons()).toEqual([]);
}, 60_000);

test('another program’s secret in the home is refused, and nothing is sent', async () => {
  home = realHome();
  await home.run(['start']);
  const { writeFileSync } = await import('node:fs');
  const path = join(home.home, 'secrets.json');
  const kept = readFileSync(path);
  const secrets = JSON.parse(kept.toString('utf8'));
  secrets.secrets['shell/secret'] = 'x'.repeat(43);
  // The daemon may be writing what it read with its own secret in it.
  await until(async () => {
    writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
    const refused = await home.run(['status']);
    return refused.code === 1 && refused.stderr.includes('did not prove that it is the daemon of this home');
  }, 'another secret is refused');
  writeFileSync(path, kept);
  const { chmodSync } = await import('node:fs');
  chmodSync(path, 0o644);
  // What others could have read proves nothing: `status` needs no proof, and what gives more does.
  const open = await home.run(['settings', 'reset', 'history']);
  expect(open).toMatchObject({ code: 1 });
  expect(open.stderr).toContain('has mode 644, not 600');
  expect(open.stderr.replace(/\s+/g, ' ')).toContain(`chmod 600 ${path}`);
  const status = await home.run(['status']);
  expect(status).toMatchObject({ code: 0 });
  expect(status.stdout + status.stderr).toContain('has mode 644, not 600');
  // The daemon may be writing what it read with the other secret in it.
  await until(async () => {
    writeFileSync(path, kept);
    chmodSync(path, 0o600);
    return (await home.run(['status'])).code === 0;
  }, 'with its own secret it answers again');
}, 60_000);

function pidIn(sentence: string): number {
  const pid = /process (\d+)/.exec(sentence)?.[1];
  if (pid === undefined) throw new Error(`no process in ${JSON.stringify(sentence)}`);
  return Number(pid);
}
