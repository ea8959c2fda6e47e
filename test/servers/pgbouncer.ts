/**
 * A private PgBouncer in front of a test's PostgreSQL. It ends with the test, or with the test
 * process.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '../missing-programs.ts';
import { here } from '../waiting/limits.ts';
import { freePort } from './free-port.ts';
import type { PostgresServer } from './postgres.ts';

export interface Pooler {
  readonly port: number;
  stop(): Promise<void>;
}

/** @returns null if it is installed. */
export function pgbouncerUnavailable(): string | null {
  return missingPrograms(['pgbouncer'], 'apt-get install pgbouncer');
}

/**
 * @param options lines of its `[pgbouncer]` section: `pool_mode = transaction`. It lets everybody
 *   in, as the server's superuser.
 */
export async function startPgbouncer(server: PostgresServer, options: readonly string[]): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.socketFolder} port=${server.port} user=${server.superuser}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', ...options],
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  chmodSync(folder, 0o755);
  // It refuses to run as root, and the server's own account can read what it needs.
  const nobody = 65_534;
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ('uid' in owner) chownSync(folder, nobody, nobody);
  const said: string[] = [];
  const child: ChildProcess = spawn('pgbouncer', [file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.on('data', (bytes: Buffer) => {
    if (said.length < 200) said.push(bytes.toString());
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (child.exitCode !== null || tries >= here(200)) throw new Error(`pgbouncer did not start: ${said.join('')}`);
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  return {
    port,
    async stop() {
      process.removeListener('exit', kill);
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        kill();
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
