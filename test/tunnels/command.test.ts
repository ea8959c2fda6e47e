/**
 * The life of a tunnel by a real program: what is waited for, what ends it, and that nothing of it
 * remains.
 */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { LineTarget } from '../../daemon/access/connection.ts';
import { serverSocket } from '../../daemon/engines/server-socket.ts';
import { startCommand } from '../../daemon/tunnels/command/start.ts';
import { keepTunnel, type Tunnel } from '../../daemon/tunnels/tunnel.ts';
import { missingPrograms } from '../missing-programs.ts';
import { needs } from '../needs.ts';
import { freePort } from '../servers/free-port.ts';
import { processesOf, processesWith } from '../servers/processes-with.ts';
import { expectWithin, here } from '../waiting/limits.ts';
import { until } from '../waiting/until.ts';

needs(missingPrograms(['socat'], 'apt-get install socat')).describe('a tunnel command', () => {
  let echo: Server;
  let port: number;
  let folder: string;
  let wrote: string;
  let printed: number;
  const tunnels: Tunnel[] = [];
  beforeAll(async () => {
    echo = createServer(socket => socket.on('error', () => {}).pipe(socket));
    await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve));
    port = (echo.address() as { port: number }).port;
  });
  afterAll(() => void echo.close());
  beforeEach(async () => {
    printed = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'sallyport-tunnels-'));
    wrote = '';
  });
  afterEach(async () => {
    await Promise.all(tunnels.splice(0).map(tunnel => tunnel.close()));
    await until(() => left().length === 0, 'no process is left');
    rmSync(folder, { recursive: true, force: true });
  });

  /** The programs of these tests, and the shells beside them. */
  const left = () => processesWith(`127.0.0.1:${port}`);

  const placed = (command: string): string =>
    command.replaceAll('TARGET', `TCP:127.0.0.1:${port}`).replaceAll('PRINTED', `${printed}`);

  function kept(command: string, idleMilliseconds = 60_000): Tunnel {
    const view = { kind: 'command', command: placed(command) } as const;
    const started = startCommand(
      view,
      () => join(folder, 't'),
      text => {
        wrote = text;
      },
    );
    const tunnel = keepTunnel(started, [{ host: 'db.example', port: 5432 }], idleMilliseconds);
    tunnels.push(tunnel);
    return tunnel;
  }

  const targetOf = (tunnel: Tunnel): Promise<LineTarget> =>
    tunnel.line.targetFor('db.example', 5432, AbortSignal.timeout(here(20_000)));

  async function echoed(tunnel: Tunnel, text = 'hello'): Promise<string> {
    const at = { line: tunnel.line, host: 'db.example', port: 5432 };
    const socket = await serverSocket(at, 5432, { port: 0 }, 1_000, AbortSignal.timeout(here(20_000)));
    try {
      return await new Promise<string>((resolve, reject) => {
        socket.once('error', reject).once('close', () => reject(new Error('closed')));
        let answer = '';
        socket.setEncoding('latin1').on('data', chunk => {
          answer += chunk;
          if (answer.length >= text.length) resolve(answer);
        });
        socket.write(text);
      });
    } finally {
      socket.destroy();
    }
  }

  const ways = {
    'a port that it is given': 'socat TCP-LISTEN:{port},bind=127.0.0.1,fork TARGET',
    'a socket': 'socat UNIX-LISTEN:{socket},fork TARGET',
    'the port that it prints':
      '(sleep 0.3; echo "Forwarding from 127.0.0.1:PRINTED -> 5432") & exec socat TCP-LISTEN:PRINTED,bind=127.0.0.1,fork,reuseaddr TARGET',
    'its stdin and stdout': '{stdio} exec socat - TARGET',
  };

  test.each(Object.entries(ways))(
    'leads there by %s',
    async (_, command) => {
      const tunnel = kept(command);
      expect(left()).toEqual([]);
      expect(await echoed(tunnel)).toBe('hello');
      const long = 'x'.repeat(3_000_000);
      expect(await echoed(tunnel, long)).toBe(long);
    },
    30_000,
  );

  test('a socket is in a folder that nobody else may enter, and is gone at the end', async () => {
    const tunnel = kept(ways['a socket']);
    const { at, release } = await targetOf(tunnel);
    const path = 'path' in at ? at.path : '';
    for (const each of [dirname(path), dirname(dirname(path))]) expect(statSync(each).mode & 0o777).toBe(0o700);
    release();
    await tunnel.close();
    await until(() => !existsSync(join(folder, 't')), 'its folders are gone');
  }, 30_000);

  test.each(Object.entries(ways))(
    'is ended when idle, and comes back: %s',
    async (_, command) => {
      const tunnel = kept(command, 300);
      const target = await targetOf(tunnel);
      await sleep(600);
      expect(await echoed(tunnel)).toBe('hello');
      target.release();
      await until(() => left().length === 0 && !existsSync(join(folder, 't')), 'it has ended, with its folder', 10);
      expect(await echoed(tunnel)).toBe('hello');
    },
    30_000,
  );

  test('a killed one is started again by the next dial', async () => {
    const tunnel = kept(ways['a socket']);
    expect(await echoed(tunnel)).toBe('hello');
    for (const pid of processesOf('socat', 'UNIX-LISTEN', `127.0.0.1:${port}`)) process.kill(pid, 'SIGKILL');
    await until(async () => (await tunnel.line.failure()) !== null, 'it is noticed');
    expect((await tunnel.line.failure())?.message).toMatch(
      /^its tunnel command (?:was ended by SIGKILL|ended with exit code 137)$/,
    );
    expect(await echoed(tunnel)).toBe('hello');
  }, 30_000);

  test('a session over stdin and stdout ends with its program, and doesn’t keep the tunnel from ending', async () => {
    const tunnel = kept(ways['its stdin and stdout']);
    const target = await targetOf(tunnel);
    const socket = connect({ ...target.at, allowHalfOpen: true });
    await new Promise(resolve => socket.once('data', resolve).write('up'));
    for (const pid of processesOf('socat', `127.0.0.1:${port}`)) process.kill(pid, 'SIGKILL');
    await new Promise(resolve => socket.once('end', resolve).resume());
    socket.write('into nothing');
    await tunnel.close();
    socket.destroy();
  }, 10_000);

  test('one whose watching shell was killed is ended all the same', async () => {
    const tunnel = kept(ways['a socket']);
    expect(await echoed(tunnel)).toBe('hello');
    for (const pid of processesWith('trap "" TERM', `127.0.0.1:${port}`)) process.kill(pid, 'SIGKILL');
    await tunnel.close();
  }, 30_000);

  test('one that ignores the signal to end is ended all the same', async () => {
    const tunnel = kept(`trap "" TERM; ${ways['a port that it is given']}`);
    expect(await echoed(tunnel)).toBe('hello');
    await tunnel.close();
    await until(() => left().length === 0, 'it has ended', 10);
  }, 30_000);

  test('parallel dials share one program, even if its queue is full', async () => {
    const tunnel = kept(ways['a socket'].replace(',fork', ',fork,backlog=1'));
    await Promise.all(Array.from({ length: 10 }, () => echoed(tunnel)));
    expect(readdirSync(join(folder, 't'))).toHaveLength(1);
  }, 30_000);

  test.each([
    ['exit 3', /^its tunnel command ended with exit code 3$/],
    [
      'no-such-program {port}',
      /^its tunnel command names a program that is not in \S+: write the program's whole path$/,
    ],
    ['kill -9 $$', /^its tunnel command was ended by SIGKILL$/],
  ])('a failure is reported without its output: %s', async (command, problem) => {
    const tunnel = kept(`echo hunter2 >&2; : ${port}; ${command}`);
    await expect(targetOf(tunnel)).rejects.toThrow(problem);
    expect(wrote).toContain('hunter2');
  });

  test('a session over stdin and stdout whose program fails says so', async () => {
    const tunnel = kept(`{stdio} : ${port}; exit 4`);
    await expect(echoed(tunnel)).rejects.toThrow(/closed|reset|EPIPE/i);
    expect((await tunnel.line.failure())?.message).toBe('its tunnel command ended with exit code 4');
  });

  test('a caller that waits for a hanging one may give up, and its end isn’t waited for', async () => {
    const tunnel = kept(`: ${port}; sleep 300 # {port}`);
    const asked = tunnel.line.targetFor('db.example', 5432, AbortSignal.timeout(500));
    await expect(asked).rejects.toThrow('its tunnel did not come up in time');
    const at = performance.now();
    await tunnel.close();
    expectWithin(at, 5_000);
  });

  test.each(Object.entries(ways))(
    'nothing remains of it if we are killed: %s',
    async (_, command) => {
      const program = `
      import { connect } from 'node:net';
      import { startCommand } from ${JSON.stringify(join(import.meta.dirname, '../../daemon/tunnels/command/start.ts'))};
      const command = ${JSON.stringify(placed(command))};
      const running = await startCommand({ kind: 'command', command }, () => ${JSON.stringify(join(folder, 't'))}, () => {})([], new AbortController().signal);
      connect(running.at({})).on('data', text => process.stdout.write(text)).write('up');
      setInterval(() => {}, 1000);`;
      const owner = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      owner.stderr.pipe(process.stderr);
      await new Promise<void>(resolve => owner.stdout.once('data', () => resolve()));
      expect(left().length).toBeGreaterThan(0);
      owner.kill('SIGKILL');
      await until(() => left().filter(pid => pid !== owner.pid).length === 0, 'all of it has ended', 10);
    },
    30_000,
  );

  test('gets no variable of ours', async () => {
    const tunnel = kept(`env >&2; : ${port}; exit 1`);
    await expect(targetOf(tunnel)).rejects.toThrow();
    expect(wrote).toContain('PATH=/usr/local/bin');
    expect(wrote).not.toMatch(/JEST|npm_|SALLYPORT_HOME/);
    expect(execFileSync('sh', ['-c', 'echo still here'], { encoding: 'utf8' })).toBe('still here\n');
  });
});
