/**
 * A private pgpool-II in front of a test's PostgreSQL and its standby, to which it sends what only
 * reads. It ends with the test, or with the test process.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { missingPrograms } from '../missing-programs.ts';
import { until } from '../waiting/until.ts';
import { freePort } from './free-port.ts';
import type { Pooler } from './pgbouncer.ts';
import type { PostgresServer } from './postgres.ts';

/** @returns null if it is installed. */
export function pgpoolUnavailable(): string | null {
  return missingPrograms(['pgpool'], 'apt-get install pgpool2');
}

export interface Pgpool extends Pooler {
  /** What it has said so far, such as how its children ended. */
  said(): string;
}

/** It lets everybody in as the servers' superuser, whom they trust by their sockets. */
export async function startPgpool(primary: PostgresServer, standby: PostgresServer): Promise<Pgpool> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pgpool-'));
  const [port, commands] = [await freePort(), await freePort()];
  const backend = (server: PostgresServer, place: number, weight: number) => [
    `backend_hostname${place} = '${server.socketFolder}'`,
    `backend_port${place} = ${server.port}`,
    `backend_weight${place} = ${weight}`,
    `backend_flag${place} = '${place === 0 ? 'ALWAYS_PRIMARY|' : ''}DISALLOW_TO_FAILOVER'`,
  ];
  const lines = [
    "backend_clustering_mode = 'streaming_replication'",
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    `pcp_port = ${commands}`,
    `socket_dir = '${folder}'`,
    `pcp_socket_dir = '${folder}'`,
    `pid_file_name = '${join(folder, 'pid')}'`,
    `logdir = '${folder}'`,
    ...['num_init_children = 12', 'max_pool = 1', 'enable_pool_hba = off', 'sr_check_period = 0'],
    ...['load_balance_mode = on', 'enable_shared_relcache = off'],
    ...backend(primary, 0, 0),
    ...backend(standby, 1, 1),
  ];
  const file = join(folder, 'pgpool.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (const name of ['pcp.conf', 'pool_hba.conf']) writeFileSync(join(folder, name), '');
  chmodSync(folder, 0o755);
  const nobody = 65_534;
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ('uid' in owner) chownSync(folder, nobody, nobody);
  const said: string[] = [];
  const files = ['-f', file, '-F', join(folder, 'pcp.conf'), '-a', join(folder, 'pool_hba.conf')];
  // A group of its own: its children are many, and a kill of the parent alone leaves them.
  const child: ChildProcess = spawn('pgpool', ['-n', ...files], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    if (said.length < 2_000) said.push(bytes.toString());
  });
  const kill = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`pgpool did not start: ${said.join('')}`);
    const client = new pg.Client({ host: '127.0.0.1', port, user: primary.superuser, database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    await client.end();
    return true;
  };
  await until(answers, 'pgpool answers', 10);
  return {
    port,
    said: () => said.join(''),
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
