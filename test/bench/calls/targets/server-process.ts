/** Starts servers as processes on a free port, waits for them, ends them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { until } from '../../../waiting/until.ts';
import { KeptConnection } from '../load/kept-connection.ts';
import type { Undo } from './target.ts';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/**
 * @returns its process id, once it accepts connections.
 * @throws with what it printed if it ends before that.
 */
export async function startServer(
  [program = '', ...words]: readonly string[],
  port: number,
  environment: Record<string, string>,
  undo: Undo,
): Promise<number> {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(program, words, { env: { PATH, HOME, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] });
  undo.push(() => end(child));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', text => {
    said = `${said}${text}`.slice(-2_000);
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('close', code => reject(new Error(`${program} ended with ${code}: ${said}`)));
  });
  const listens = until(async () => (await KeptConnection.open(port)).close() ?? true, `${program} listens`);
  await Promise.race([listens, ended]);
  // From here on a missing answer shows its end.
  ended.catch(() => {});
  return child.pid ?? 0;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await gone;
  clearTimeout(impatience);
}
