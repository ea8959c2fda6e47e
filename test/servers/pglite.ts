/**
 * PGlite behind its own socket server, in a process of its own: PostgreSQL in WASM, where every
 * socket reaches one session and nothing interrupts a statement.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

export interface PgliteServer {
  readonly port: number;
  stop(): Promise<void>;
}

const fiftyRows = [
  'create table t (id integer primary key, name text)',
  "insert into t select g, 'n' || g from generate_series(1, 50) as g",
];

/**
 * It lets everybody in as `postgres`.
 * @param statements run first; else it has a table `t` of 50 rows.
 */
export async function startPglite(statements: readonly string[] = fiftyRows): Promise<PgliteServer> {
  const port = await freePort();
  const serve = `
    import { PGlite } from '@electric-sql/pglite';
    import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
    const db = await PGlite.create();
    await db.exec(${JSON.stringify(statements.join(';'))});
    await new PGLiteSocketServer({ db, host: '127.0.0.1', port: ${port}, maxConnections: 20 }).start();
    console.log('listening');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', serve], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (bytes: Buffer) => {
    if (said.length < 50) said.push(bytes.toString());
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (first[0] !== 'listening') throw new Error(`PGlite did not start: ${said.join('')}`);
  return {
    port,
    async stop() {
      process.removeListener('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}
